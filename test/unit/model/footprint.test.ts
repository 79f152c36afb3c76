import {
  canExist,
  comparableText,
  dayOf,
  isExclusive,
  isSameWhereSent,
  lifetimeOf,
  type Footprint,
  type Lifetime,
  type WriteValues,
} from '../../../nodes/PaymentPlatform/model/footprint';

const aDay = (): Lifetime => 'day';
const footprint = (lifetime: Footprint['lifetime'], more: { newestBy?: 'id'; time?: () => undefined } = {}) =>
  ({ lifetime, list: { newestBy: more.newestBy }, time: more.time }) as unknown as Footprint;

describe('a footprint', () => {
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
});

describe('a value of a record and a sent value', () => {
  test("a sent value and a record's value are compared as trimmed text", () => {
    expect([' A-1 ', 12, undefined, null].map(comparableText)).toEqual(['A-1', '12', '', '']);
  });

  test("a sent date and a record's date are compared by the day they begin with", () => {
    expect([' 2030-03-01T09:00:00Z', '2030-03-01', undefined].map(dayOf)).toEqual(['2030-03-01', '2030-03-01', '']);
  });

  test.each([
    ['text', ' text ', true],
    [7, '7', true],
    ['text', 'other', false],
    [undefined, 'text', false],
    ['filled in', undefined, true],
    [undefined, '', true],
  ])('%j and %j match: %s', (shown, sent, match) => expect(isSameWhereSent(shown, sent)).toBe(match));
});
