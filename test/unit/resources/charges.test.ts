import type { IDataObject } from 'n8n-workflow';
import { agreesWith, compared, UNKNOWN_LETTERS, type Cases } from './footprint-cases';

import { dayCharges } from '../../../nodes/PaymentPlatform/resources/transaction/day-records';
import { chargeFootprint } from '../../../nodes/PaymentPlatform/resources/transaction/charge-footprint';
import { partialApproval } from '../../../nodes/PaymentPlatform/resources/transaction/charge-outcome';
import { checkCharge, noteExpiredCharge } from '../../../nodes/PaymentPlatform/resources/transaction/charge-source';
import { authorize } from '../../../nodes/PaymentPlatform/resources/transaction/authorize';
import { credit } from '../../../nodes/PaymentPlatform/resources/transaction/credit';
import { force } from '../../../nodes/PaymentPlatform/resources/transaction/force';
import { sale } from '../../../nodes/PaymentPlatform/resources/transaction/sale';
import { candidates } from '../../../nodes/PaymentPlatform/model/candidates';
import type { Footprint, WriteValues } from '../../../nodes/PaymentPlatform/model/footprint';

const VERB = { done: 'Charged', to: 'to', next: ', voidable until the batch closes', open: 'C' };
const footprint = chargeFootprint('sale', VERB);
const charge = (body: object = {}): WriteValues => ({
  path: {},
  body: { amt_tran: 25, purchase_id: 'A1', card_number: '4111111111111111', ...body },
});
const found: IDataObject = {
  pg_id: 'p1',
  request_type: 'sale',
  tran_status: 'C',
  rcode: '000',
  amt_tran: 25,
  tran_currency: '840',
  purchase_id: 'A1',
  merch_ref_num: '',
  card_number: '411111xxxxxx1111',
};
const is = (more: object, body: object = {}) => compared(footprint, { ...found, ...more }, charge(body));

const SAME: Cases = [
  ['with its amount as text', { amt_tran: '25.00' }],
  ['with a minus', { amt_tran: -25 }],
  ['after settlement', { tran_status: 'P' }],
  ['that is under review', { tran_status: 'H' }],
  ['approved in part for the whole amount', { rcode: '010' }],
  ['approved with identification', { rcode: '008' }],
  ['approved for a VIP, as a number', { rcode: 11 }],
  ['approved offline', { rcode: '0Y1' }],
  ['with a second reference that was not sent', { merch_ref_num: 'R1' }],
  ['without a currency', { tran_currency: undefined }],
];
const OTHERS: Cases = [
  ['of another order', { purchase_id: 'A2' }],
  ['of another amount', { amt_tran: 25.01 }],
  ['approved in part for more than the amount', { rcode: '010', amt_tran: 25.01 }],
  ['of another type', { request_type: 'verify' }],
  ['of another card', { card_number: '411111xxxxxx2222' }],
  ['that was declined', { rcode: '005' }],
  ...['D', 'F', 'R', 'K', 'V', 'v', ' V '].map((tran_status): Cases[number] => [
    `with the letter ${tran_status}`,
    { tran_status },
  ]),
];
const OPEN: Cases = [
  ['of no order', { purchase_id: undefined }],
  ['of no card', { card_number: undefined }],
  ['in another currency than the default', { tran_currency: '978' }],
  ['approved in part', { rcode: '010', amt_tran: 10 }],
  ['approved in part with identification', { rcode: '008', amt_tran: 10 }],
  ['reduced by a refund', { amt_tran: 10, amt_refunded: 15 }],
  ['without a code, of a smaller amount', { rcode: undefined, amt_tran: 10 }],
  ['whose outcome is open', { rcode: '998' }],
  ['with an unclear approval', { rcode: '004' }],
  ['without a code', { rcode: undefined }],
  ['without a type', { request_type: undefined }],
  ['with an unreadable amount', { amt_tran: 'x' }],
  ...UNKNOWN_LETTERS,
  ['approved in part with an unreadable amount', { rcode: '010', amt_tran: 'x' }],
];

describe.each([
  [sale, 'SALE'],
  [authorize, 'AUTH'],
  [credit, 'CREDIT'],
  [force, 'FORCE'],
])('the record of a charge', ({ footprint: own = footprint as Footprint }, request_type) => {
  const of = { ...found, request_type: request_type.toLowerCase() };
  agreesWith(own, charge(), of, [['in capital letters', { request_type }], ...SAME], OTHERS, OPEN);

  test('the record of a charge shows its own type and amount', () => {
    const types = ['sale', 'auth', 'credit', 'force'].filter((type) => type !== of.request_type);
    for (const other of types) expect(compared(own, { ...of, request_type: other }, charge())).toBe('different');
    const smaller = compared(own, { ...of, amt_tran: 24.99, tran_status: 'A' }, charge());
    expect(smaller).toBe('different');
  });
});

test.each<[string, object, object]>([
  ['both', { merch_ref_num: 'R1' }, { merch_ref_num: 'R1' }],
  ['the number alone', { purchase_id: 'X', merch_ref_num: 'R1' }, { purchase_id: undefined, merch_ref_num: 'R1' }],
])('a record with the sent references belongs to the write: %s', (_, more, body) =>
  expect(is(more, body)).toBe('equal'),
);

test('a record with another reference number belongs to another write, and a record without one may belong to it', () => {
  expect(is({ merch_ref_num: 'R2' }, { merch_ref_num: 'R1' })).toBe('different');
  expect(is({ merch_ref_num: '' }, { merch_ref_num: 'R1' })).toBe('notShown');
});

test("the node's own reference proves the charge although the report shows neither the payer nor the whole amount", () => {
  const own = { reference: { name: 'merch_ref_num', value: 'OWN', isLasting: true } };
  const values = { ...charge({ merch_ref_num: 'OWN' }), ...own };
  const by = (more: object) => compared(footprint, { ...found, merch_ref_num: 'OWN', ...more }, values);
  expect(by({ card_number: undefined })).toBe('equal');
  expect(by({ rcode: '010', amt_tran: 10 })).toBe('equal');
  expect(by({ tran_currency: '978' })).toBe('equal');
  expect([by({ card_number: 'xxxx2222' }), by({ amt_tran: 24 }), by({ rcode: '998' })]).toEqual([
    'notShown',
    'notShown',
    'notShown',
  ]);
  expect([by({ rcode: '005' }), by({ merch_ref_num: 'OTHER' })]).toEqual(['different', 'different']);
});

test('a record in another currency than the sent currency belongs to another charge', () => {
  expect(is({ tran_currency: '978' }, { tran_currency: '978' })).toBe('equal');
  expect(is({ tran_currency: '840' }, { tran_currency: '978' })).toBe('different');
  expect(is({ tran_currency: '' }, { tran_currency: '978' })).toBe('notShown');
});

test('a partly captured authorization may be the authorization, but a smaller sale is a different charge', () => {
  const authorized = chargeFootprint('auth', VERB);
  const held = (more: object) =>
    compared(authorized, { ...found, request_type: 'auth', amt_tran: 20, ...more }, charge());
  const captured = ['C', 'S', 'P', 'N'];
  expect(captured.map((tran_status) => held({ tran_status }))).toEqual(captured.map(() => 'notShown'));
  expect(captured.map((tran_status) => held({ tran_status, amt_tran: 25 }))).toEqual(captured.map(() => 'equal'));
  expect([held({ tran_status: 'A' }), held({ amt_tran: 25.01 }), is({ amt_tran: 20 })]).toEqual([
    'different',
    'different',
    'different',
  ]);
});

test('the amount of a charge may include its fees', () => {
  const fees = { amt_convenience_fee: 1.5, amt_tran_fee: '0.50' };
  const shown = [25, 27, 26.5, 25.5].map((amt_tran) => is({ amt_tran }, fees));
  expect(shown).toEqual(['equal', 'notShown', 'notShown', 'notShown']);
  expect([24.99, 27.01].map((amt_tran) => is({ amt_tran }, fees))).toEqual(['different', 'different']);
  expect([26.5, 27.01].map((amt_tran) => is({ rcode: '010', amt_tran }, fees))).toEqual(['notShown', 'different']);
  const asked = [fees, { amt_tran_fee: 0 }, {}].map((more) => footprint.cents?.asked(charge(more) as never));
  expect(asked).toEqual([undefined, 2500, 2500]);
});

test('the amount of a charge may include fees that only the record shows', () => {
  const shown = { amt_tran: 25.75, amt_tran_fee: 0.75 };
  expect([is(shown), is({ ...shown, amt_tran: 25.76 }), is({ amt_tran: 25.75 })]).toEqual([
    'notShown',
    'different',
    'different',
  ]);
  expect(candidates([{ ...found, ...shown }], footprint as Footprint, charge({ purchase_id: undefined }))).toHaveLength(
    1,
  );
});

test('a long list is searched for charges of the amount, and for charges that may show only a part of it', () => {
  const shown = (more: object) => footprint.cents?.shown({ ...found, ...more } as never);
  expect([shown({}), shown({ amt_tran: '-25.00' }), shown({ amt_tran: 'x' })]).toEqual([2500, 2500, undefined]);
  expect([shown({ rcode: '010' }), shown({ request_type: 'auth' })]).toEqual([undefined, undefined]);
  expect(shown({ request_type: 'auth', tran_status: 'A' })).toBe(2500);
  expect(footprint.cents?.asked(charge() as never)).toBe(2500);
});

test('a charge is identified by a reference and an amount', () => {
  const of = (body: object) => footprint.isIdentifiable(charge(body));
  expect(of({})).toBe(true);
  expect(of({ purchase_id: undefined, merch_ref_num: 'R1' })).toBe(true);
  expect(of({ purchase_id: ' ' })).toBe(false);
  expect(of({ amt_tran: undefined })).toBe(false);
  expect(footprint.lifetime).toEqual(expect.any(Function));
  expect(typeof footprint.lifetime === 'function' && footprint.lifetime(charge())).toBe('always');
  expect(footprint.filter(charge({ merch_ref_num: 'R1' }))).toEqual(['purchase_id,IS,A1', 'merch_ref_num,IS,R1']);
  expect(footprint).toMatchObject({
    list: { path: '/platform/reporting/transaction-requests', identity: 'pg_id', newestBy: 'tran_time' },
    isCheckedInTools: true,
    where: 'the transaction report',
    agreement: 'same reference, amount, currency and payer',
  });
});

test('a record is found by the key of every charge that may have created the record', () => {
  const keys = footprint.keysOf?.({ ...found, merch_ref_num: ' R1 ' } as never) ?? [];
  const bodies = [{ merch_ref_num: 'R1' }, { purchase_id: undefined, merch_ref_num: 'R1' }];
  expect(keys).toEqual(bodies.map((body) => footprint.key(charge(body))));
  expect(keys).not.toContain(chargeFootprint('auth', VERB).key(charge({ merch_ref_num: 'R1' })));
});

test('reads times of the report as Pacific time', () => {
  expect(footprint.time?.({ tran_time: '2030-03-01 09:05:00' })?.toUTC().toISO()).toBe('2030-03-01T17:05:00.000Z');
});

describe('the summary of a charge', () => {
  const says = (record: object, body: object) =>
    footprint.summary?.(record, { path: {}, body: { amt_tran: 25, ...body } } as never);
  const VOIDABLE = ', voidable until the batch closes';

  test.each<[object, object, string]>([
    [{ amt_tran: 25 }, { card_number: '4111111111111111' }, `Charged 25.00 USD to the card ending in 1111${VOIDABLE}.`],
    [{}, { customer_id: 'C1' }, `Charged 25.00 USD to customer C1${VOIDABLE}.`],
    [{}, { card_id: 'abc' }, `Charged 25.00 USD to the saved card${VOIDABLE}.`],
    [{}, { card_swipe: '%B4111' }, `Charged 25.00 USD to the card${VOIDABLE}.`],
    [{}, { dda_number: '1234567890' }, `Charged 25.00 USD to the bank account${VOIDABLE}.`],
    [{}, { customer_id: 'C1', tran_currency: '978' }, `Charged 25.00 EUR to customer C1${VOIDABLE}.`],
    [
      { ...found, card_type: 'MC', card_number: '555555xxxxxx4444' },
      {},
      `Charged 25.00 USD to Mastercard ending in 4444${VOIDABLE}.`,
    ],
    [
      { ...found, card_type: 'MC', card_number: '555555xxxxxx4444', tran_status: 'S' },
      { customer_id: 'C1' },
      'Charged 25.00 USD to Mastercard ending in 4444 of customer C1.',
    ],
    [{ ...found, card_number: undefined, tran_status: 'S' }, { card_id: 'a' }, 'Charged 25.00 USD to the saved card.'],
    [
      { ...found, card_number: undefined, tran_status: 'H' },
      { card_id: 'a' },
      'Charged 25.00 USD to the saved card, which is under review.',
    ],
    [{ amt_tran: 10 }, { card_id: 'a' }, `Charged only 10.00 USD of 25.00 USD to the saved card${VOIDABLE}.`],
    [{ rcode: '010' }, { card_id: 'a' }, `Charged only a part of 25.00 USD to the saved card${VOIDABLE}.`],
    [{ rcode: 10, amt_tran: 25 }, { card_id: 'a' }, `Charged only a part of 25.00 USD to the saved card${VOIDABLE}.`],
    [{}, { customer_id: 'C'.repeat(32) }, `Charged 25.00 USD to customer ${'C'.repeat(32)}.`],
  ])('the summary describes %j of %j', (record, body, sentence) => {
    expect(says(record, body)).toBe(sentence);
    expect(sentence.length).toBeLessThanOrEqual(90);
  });
});

test.each<[unknown, string | undefined]>([
  ['010', '010'],
  [10, '010'],
  ['008', '008'],
  ['8', '008'],
  ['000', undefined],
  ['011', undefined],
  ['085', undefined],
  [undefined, undefined],
])('the summary warns about a charge with the code %j as %s', (code, rcode) => {
  const found = partialApproval.find({ rcode: code as string, pg_id: 'p1' }, charge() as never);
  expect(found?.failure.rcode).toBe(rcode);
  expect(partialApproval.fails({ path: {}, query: {}, body: {}, node: {} })).toBe(false);
  if (found) expect(found).toMatchObject({ about: 'pg_id p1', failure: { applied: true } });
});

describe('the checks of a charge', () => {
  const problems = (body: object, undated = false) =>
    checkCharge(undated)({ body: { amt_tran: 25, ...body } }).map(({ label }) => label);
  const card = { card_number: '4111111111111111', exp_date: '1230' };

  test.each<[object, string[]]>([
    [card, []],
    [{ customer_id: 'C1' }, []],
    [{ ...card, card_id: 'a' }, ['Payment Method']],
    [{ card_id: 'a', customer_id: 'C1' }, ['Payment Method']],
    [{}, ['Payment Method']],
    [{ ...card, amt_tax: 25, amt_fbo: 25, fbo_id: 1 }, []],
    [{ ...card, amt_tax: 25.01 }, ['Sales Tax Included']],
    [{ ...card, amt_fbo: 25.01, fbo_id: 1 }, ['Amount for Prepaid Account']],
    [{ ...card, fbo_id: 1 }, ['Amount for Prepaid Account']],
    [{ ...card, amt_fbo: 1 }, ['Prepaid Account ID']],
    [{ ...card, tokenize: true }, []],
    [{ card_id: 'a', tokenize: true }, ['Save Card']],
    [{ customer_id: 'C1', tokenize: true }, ['Save Card']],
    [{ customer_id: 'C1', tokenize: false }, []],
    [{ ...card, purchase_id: 'A', amt_tax: 0, line_items: '[{"a":1}]' }, []],
    [{ ...card, purchase_id: 'A', amt_tax: 0, line_items: '[1]' }, ['Level 3 Lines']],
    [{ ...card, purchase_id: 'A', amt_tax: 0, line_items: '{' }, ['Level 3 Lines']],
    [{ ...card, line_items: '[]' }, ['Sales Tax Included', 'Purchase ID']],
  ])('finds the problems of %j: %j', (body, labels) => expect(problems(body)).toEqual(labels));

  test('a charge requires an expiration date unless the operation needs none', () => {
    expect(problems({ card_number: card.card_number })).toEqual(['Expiration Date']);
    expect(problems({ card_number: card.card_number }, true)).toEqual([]);
  });

  test('a charge with a past expiration date causes a notice', () => {
    expect(noteExpiredCharge({ body: { exp_date: '0120' } })).toMatch(/in the past/);
    expect(noteExpiredCharge({ body: { exp_date: '1299' } })).toBeUndefined();
    expect(noteExpiredCharge({ body: {} })).toBeUndefined();
  });
});

describe('the limit per day of charges', () => {
  test.each<[object, boolean]>([
    [{}, true],
    ...['auth', 'force', 'recharge', 'SALE'].map((request_type): [object, boolean] => [{ request_type }, true]),
    ...['refund', 'void', 'capture', 'credit', 'verify'].map((request_type): [object, boolean] => [
      { request_type },
      false,
    ]),
    ...['D', 'F', 'R', 'K', 'V', 'v'].map((tran_status): [object, boolean] => [{ tran_status }, false]),
    ...['A', 'H', 'S', 'P', 'N'].map((tran_status): [object, boolean] => [{ tran_status }, true]),
    [{ rcode: '005' }, false],
    [{ rcode: '998' }, true],
  ])('counts a record with %j: %s', (more, counts) => expect(dayCharges.counts({ ...found, ...more })).toBe(counts));

  test('counts absolute amounts', () => {
    expect(dayCharges.amount({ amt_tran: '-12.5' })).toBe(12.5);
    expect(dayCharges.amount({ amt_tran: 'x' })).toBeUndefined();
  });
});
