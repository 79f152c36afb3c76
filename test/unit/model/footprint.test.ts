import type { IDataObject } from 'n8n-workflow';

import {
  canExist,
  isExclusive,
  lifetimeOf,
  likenessOf,
  withoutReference,
  type Footprint,
  type Lifetime,
  type OwnReference,
  type WriteValues,
} from '../../../nodes/PaymentPlatform/model/footprint';
import type { Likeness } from '../../../nodes/PaymentPlatform/model/likeness';
import { isOwnMerchant } from '../../../nodes/PaymentPlatform/model/operation';

const aDay = (): Lifetime => 'day';
const footprint = (lifetime: Footprint['lifetime'], more: { newestBy?: 'id'; time?: () => undefined } = {}) =>
  ({ lifetime, list: { newestBy: more.newestBy }, time: more.time }) as unknown as Footprint;

test('a footprint identifies its write for a fixed time, or for a time that depends on the write', () => {
  const values: WriteValues = { path: {}, body: { purchase_id: 'A1' } };
  const byReference = ({ body }: WriteValues): Lifetime => (body.purchase_id === 'A1' ? 'always' : 'minutes');
  expect(lifetimeOf(footprint('minutes'), values)).toBe('minutes');
  expect(lifetimeOf(footprint(byReference), values)).toBe('always');
});

test('a footprint with a time or new records identifies only one write', () => {
  const time = () => undefined;
  const all = [footprint(aDay, { newestBy: 'id' }), footprint(aDay, { time }), footprint(aDay)];
  expect(all.map(isExclusive)).toEqual([true, true, false]);
});

test('a footprint can show an existing record if a list keeps new records beyond a few minutes', () => {
  const all = [footprint(aDay, { newestBy: 'id' }), footprint('minutes', { newestBy: 'id' }), footprint(aDay)];
  expect(all.map(canExist)).toEqual([true, false, false]);
});

describe('the comparison of a record with a write', () => {
  const reference: OwnReference = { name: 'merch_ref_num', value: 'OWN', isLasting: true };
  const of = (compared: Likeness[], more: Partial<Footprint> = {}) =>
    ({ list: { path: '/', identity: 'id', newestBy: 'id' }, compare: () => compared, ...more }) as Footprint;
  const compare = (compared: Likeness[], record: IDataObject, values: Partial<WriteValues>, applied?: Likeness) =>
    likenessOf(of(compared, applied && { applied: () => applied }), record, { path: {}, body: {}, ...values });

  test.each<[Likeness[], Likeness]>([
    [[], 'equal'],
    [['equal', 'equal'], 'equal'],
    [['equal', 'notShown'], 'notShown'],
    [['notShown', 'different'], 'different'],
  ])('without an own reference, the values %j make the record %s', (compared, expected) => {
    expect(compare(compared, {}, {})).toBe(expected);
    expect(compare(compared, { merch_ref_num: 'OWN' }, {})).toBe(expected);
  });

  test.each<[Likeness[], Likeness, Likeness, Likeness]>([
    [['equal'], 'equal', 'notShown', 'different'],
    [['notShown'], 'equal', 'notShown', 'different'],
    [['equal', 'different'], 'notShown', 'different', 'different'],
  ])('the own reference with the values %j: equal %s, not shown %s, different %s', (compared, equal, none, other) => {
    expect(compare(compared, { merch_ref_num: ' OWN ' }, { reference })).toBe(equal);
    for (const record of [{}, { merch_ref_num: '' }]) expect(compare(compared, record, { reference })).toBe(none);
    expect(compare(compared, { merch_ref_num: 'OTHER' }, { reference })).toBe(other);
  });

  test.each<[Likeness, Likeness, Likeness]>([
    ['equal', 'equal', 'equal'],
    ['notShown', 'notShown', 'notShown'],
    ['different', 'different', 'different'],
  ])('a record whose effect is %s is %s, and with the own reference %s', (applied, without, withReference) => {
    expect(compare(['equal'], {}, {}, applied)).toBe(without);
    expect(compare(['equal'], { merch_ref_num: 'OWN' }, { reference }, applied)).toBe(withReference);
    expect(compare(['notShown'], { merch_ref_num: 'OWN' }, { reference }, applied)).toBe(withReference);
    expect(compare(['different'], {}, {}, applied)).toBe('different');
  });

  test("a list's record of another merchant belongs to another write", () => {
    const by = (merchant_id: unknown, merchant?: string) =>
      compare(['equal'], { merchant_id } as IDataObject, merchant === undefined ? {} : { merchant });
    expect([by(100, '100'), by(undefined, '100'), by(100)]).toEqual(['equal', 'equal', 'equal']);
    expect(by(200, '100')).toBe('different');
    // A number doesn't show leading zeros.
    expect([by(100, '00100'), by(200, '00100'), by('100', '00100')]).toEqual(['equal', 'different', 'different']);
    const own = { merchant: '100', reference };
    expect(compare(['equal'], { merchant_id: 200, merch_ref_num: 'OWN' }, own)).toBe('notShown');
    const single = of(['equal'], { list: { path: '/', identity: 'id' } });
    expect(likenessOf(single, { merchant_id: 200 }, { path: {}, body: {}, merchant: '100' })).toBe('equal');
  });
});

test("the node can read only the records of the credential's own merchant", () => {
  const own = (merchant?: string) => isOwnMerchant({ path: {}, body: {}, merchant }, { merchantId: '100' });
  expect([own(), own('100'), own('200'), own('')]).toEqual([true, true, false, false]);
});

test("only the node's own reference is left out of a comparison with records of other writes", () => {
  const body = { merch_ref_num: 'OWN', purchase_id: 'A1' };
  const reference: OwnReference = { name: 'merch_ref_num', value: 'OWN', isLasting: false };
  const values = { path: { id: '1' }, body, merchant: '100' };
  expect(withoutReference({ ...values, reference })).toEqual({ ...values, body: { purchase_id: 'A1' } });
  expect(withoutReference(values)).toBe(values);
  expect(body).toEqual({ merch_ref_num: 'OWN', purchase_id: 'A1' });
});
