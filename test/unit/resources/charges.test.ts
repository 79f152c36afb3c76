import type { IDataObject } from 'n8n-workflow';

import { chargeBudget } from '../../../nodes/PaymentPlatform/resources/transaction/budget';
import { chargeFootprint } from '../../../nodes/PaymentPlatform/resources/transaction/charge-footprint';
import { chargeSummary, partialApproval } from '../../../nodes/PaymentPlatform/resources/transaction/charge-outcome';
import { checkCharge, noteExpiredCharge } from '../../../nodes/PaymentPlatform/resources/transaction/charge-source';
import type { WriteValues } from '../../../nodes/PaymentPlatform/model/footprint';

const VERB = { done: 'Charged', to: 'to', next: ', voidable until the batch closes', open: 'C' };
const { matches, mayMatch, ...footprint } = chargeFootprint('sale', VERB);
const charge = (body: object = {}): WriteValues => ({ path: {}, body: { amt_tran: 25, purchase_id: 'A1', ...body } });
const found: IDataObject = {
  pg_id: 'p1',
  request_type: 'sale',
  tran_status: 'C',
  rcode: '000',
  amt_tran: 25,
  purchase_id: 'A1',
  merch_ref_num: '',
};
const is = (more: object, body: object = {}) => matches({ ...found, ...more }, charge(body));
const maybe = (more: object, body: object = {}) => mayMatch?.({ ...found, ...more }, charge(body));

test('a partly captured authorization is still the same authorization, but a smaller sale is a different charge', () => {
  const authorized = chargeFootprint('auth', VERB);
  const held = (more: object) =>
    authorized.matches({ ...found, request_type: 'auth', amt_tran: 20, ...more }, charge());
  expect(['C', 'S', 'P', 'N'].map((tran_status) => held({ tran_status }))).toEqual([true, true, true, true]);
  expect([held({ tran_status: 'A' }), held({ amt_tran: 25.01 }), is({ amt_tran: 20 })]).toEqual([false, false, false]);
});

test("a partly captured authorization counts as changed, and a partly approved or fully captured one doesn't", () => {
  const changed = (more: object) =>
    chargeFootprint('auth', VERB).changedSince?.({ ...found, request_type: 'auth', ...more }, charge());
  expect(['C', 'S', 'P', 'N'].map((tran_status) => changed({ tran_status, amt_tran: 20 }))).toEqual(
    Array(4).fill(true),
  );
  expect([changed({}), changed({ tran_status: 'A', rcode: '010', amt_tran: 20 })]).toEqual([false, false]);
  expect(changed({ request_type: 'sale', rcode: '010', amt_tran: 20 })).toBe(false);
});

describe('a report record that belongs to a charge', () => {
  test.each<[string, object, object]>([
    ['as it is', {}, {}],
    ['with its amount as text', { amt_tran: '25.00' }, {}],
    ['in capital letters', { request_type: 'SALE' }, {}],
    ['after settlement', { tran_status: 'P' }, {}],
    ['that is under review', { tran_status: 'H' }, {}],
    ['approved in part', { rcode: '010', amt_tran: 10 }, {}],
    ['approved in part for the whole amount', { rcode: '010' }, {}],
    ['approved with identification', { rcode: '008' }, {}],
    ['approved for a VIP, as a number', { rcode: 11 }, {}],
    ['approved offline', { rcode: '0Y1' }, {}],
    ['with a second reference that was not sent', { merch_ref_num: 'R1' }, {}],
    ['with both references', { merch_ref_num: 'R1' }, { merch_ref_num: 'R1' }],
    [
      'with the reference number alone',
      { purchase_id: 'X', merch_ref_num: 'R1' },
      { purchase_id: undefined, merch_ref_num: 'R1' },
    ],
  ])('a record %s belongs to the write', (_, more, body) => {
    expect([is(more, body), maybe(more, body)]).toEqual([true, true]);
  });
});

describe("a report record that doesn't belong to a charge", () => {
  test.each<[string, object, object]>([
    ['of another order', { purchase_id: 'A2' }, {}],
    ['of no order', { purchase_id: undefined }, {}],
    ['with another reference number', { merch_ref_num: 'R2' }, { merch_ref_num: 'R1' }],
    ['of another amount', { amt_tran: 24.99 }, {}],
    ['approved in part for more than the amount', { rcode: '010', amt_tran: 25.01 }, {}],
    ['of another type', { request_type: 'auth' }, {}],
    ['that was declined', { rcode: '005' }, {}],
    ...['D', 'F', 'R', 'K', 'V', 'v', ' V '].map((tran_status): [string, object, object] => [
      `with the letter ${tran_status}`,
      { tran_status },
      {},
    ]),
  ])("a record %s doesn't belong to the write", (_, more, body) => {
    expect([is(more, body), maybe(more, body)]).toEqual([false, false]);
  });

  test.each<[string, object]>([
    ['whose outcome is open', { rcode: '998' }],
    ['with an unclear approval', { rcode: '004' }],
    ['without a code', { rcode: undefined }],
    ['without a type', { request_type: undefined }],
    ['with an unreadable amount', { amt_tran: 'x' }],
    ['approved in part with an unreadable amount', { rcode: '010', amt_tran: 'x' }],
  ])('a record %s may belong to the charge', (_, more) => {
    expect([is(more), maybe(more)]).toEqual([false, true]);
  });
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
    agreement: 'same reference, same amount',
  });
});

test('a record is found by the key of every charge that may have created the record', () => {
  const keys = footprint.keysOf?.({ ...found, merch_ref_num: ' R1 ' }) ?? [];
  const bodies = [{ merch_ref_num: 'R1' }, {}, { purchase_id: undefined, merch_ref_num: 'R1' }];
  expect(keys).toEqual(bodies.map((body) => footprint.key(charge(body))));
  expect(keys).not.toContain(chargeFootprint('auth', VERB).key(charge()));
});

test('reads times of the report as Pacific time', () => {
  expect(footprint.time?.({ tran_time: '2030-03-01 09:05:00' })?.toUTC().toISO()).toBe('2030-03-01T17:05:00.000Z');
});

describe('the summary of a charge', () => {
  const says = (record: object, body: object = {}) => chargeSummary(VERB, record, charge(body) as never);
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
    [{ ...found, tran_status: 'S' }, { card_id: 'a' }, 'Charged 25.00 USD to the saved card.'],
    [{ ...found, tran_status: 'H' }, { card_id: 'a' }, 'Charged 25.00 USD to the saved card, which is under review.'],
    [{ amt_tran: 10 }, { card_id: 'a' }, `Charged only 10.00 USD of 25.00 USD to the saved card${VOIDABLE}.`],
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
  const found = partialApproval.find({ rcode: code as string, pg_id: 'p1' });
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

describe('the daily budget of charges', () => {
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
  ])('counts a record with %j: %s', (more, counts) => expect(chargeBudget.counts({ ...found, ...more })).toBe(counts));

  test('counts absolute amounts', () => {
    expect(chargeBudget.amount({ amt_tran: '-12.5' })).toBe(12.5);
    expect(chargeBudget.amount({ amt_tran: 'x' })).toBeUndefined();
  });
});
