import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../../../nodes/PaymentPlatform/model/failure';
import type { Operation, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { submitSaved } from '../../../nodes/PaymentPlatform/resources/account-updater/submit-saved';
import { request as apiRequest } from '../../../nodes/PaymentPlatform/resources/api/request';
import { tokenize } from '../../../nodes/PaymentPlatform/resources/card/tokenize';
import { create as createCheckout } from '../../../nodes/PaymentPlatform/resources/checkout/create';
import { create as createCustomer } from '../../../nodes/PaymentPlatform/resources/customer/create';
import { cancel as cancelInvoice } from '../../../nodes/PaymentPlatform/resources/invoice/cancel';
import { copy as copyInvoice } from '../../../nodes/PaymentPlatform/resources/invoice/copy';
import { create as createInvoice } from '../../../nodes/PaymentPlatform/resources/invoice/create';
import { update as updateInvoice } from '../../../nodes/PaymentPlatform/resources/invoice/update';
import { addPayment } from '../../../nodes/PaymentPlatform/resources/invoice/payments/add-payment';
import { create as createPlan } from '../../../nodes/PaymentPlatform/resources/plan/create';
import { create as createSubscription } from '../../../nodes/PaymentPlatform/resources/subscription/create';
import { payout } from '../../../nodes/PaymentPlatform/resources/transaction/payout';
import { refund } from '../../../nodes/PaymentPlatform/resources/transaction/refund';
import { sale } from '../../../nodes/PaymentPlatform/resources/transaction/sale';
import { checkAnswer } from '../../../nodes/PaymentPlatform/service/decode-response';

const requestOf = (operation: Operation, body: IDataObject, more: object = {}) =>
  ({
    operation,
    method: operation.request.method,
    path: operation.request.path,
    effect: operation.request.effect,
    values: { path: {}, query: {}, body, node: {} },
    ...more,
  }) as unknown as PlannedRequest;
const free = () => false;

/** Returns what is wrong with a response, or `undefined` if the response belongs to the request. */
function wrong(request: PlannedRequest, record: unknown, isTaken: (id: string) => boolean = free): string | undefined {
  const answer = { ok: true, record } as Answer;
  const checked = checkAnswer(request, answer, isTaken);
  if (checked.ok) {
    expect(checked).toBe(answer);
    return undefined;
  }
  const { outcome, message, advice } = checked.failure;
  const [, what] = /^The service accepted the request, but its response (.+)\. The response may/.exec(message) ?? [];
  expect({ outcome, advice }).toEqual({ outcome: 'unknown', advice: '' });
  return what;
}

const charge = requestOf(sale, {
  ...{ merchant_id: '100', customer_id: 'C1', amt_tran: 25, tran_currency: '840' },
  ...{ purchase_id: 'A1', merch_ref_num: 'R1' },
});
const charged = { rcode: '000', pg_id: 'p1', merchant_id: 100, customer_id: 'C1', amt_tran: 25, tran_currency: '840' };

test.each<[string, IDataObject]>([
  ['with all values', { ...charged, purchase_id: 'A1', merch_ref_num: 'R1' }],
  ['with the ID alone', { rcode: '000', pg_id: 'p1' }],
  ['with numbers as text', { ...charged, merchant_id: '100', amt_tran: '25.00', tran_currency: 840 }],
  ['with spaces and other letters', { ...charged, customer_id: ' c1 ', merch_ref_num: 'r1' }],
  ['with empty values', { ...charged, customer_id: '', merch_ref_num: null, amt_tran: '' }],
  ['with another card ID than the customer, which the request does not name', { ...charged, card_id: 'k2' }],
  ['with other wording', { ...charged, cardholder_name: 'x', rmsg: 'y', status: 'z' }],
])('a response belongs to its request %s', (_, record) => expect(wrong(charge, record)).toBeUndefined());

test('a number of a response does not show the leading zeros of the request', () => {
  const zeros = requestOf(sale, { merchant_id: '00100', customer_id: '007', amt_tran: 25 });
  const record = { rcode: '000', pg_id: 'p1', merchant_id: 100, customer_id: 7 };
  expect(wrong(zeros, record)).toBeUndefined();
  expect(wrong(zeros, { ...record, merchant_id: '100' })).toBe('names merchant_id 100 instead of 00100');
  expect(wrong(zeros, { ...record, customer_id: 70 })).toBe('names customer_id 70 instead of 007');
});

test('a failure and a response that was only read are not checked', () => {
  const failure: Answer = { ok: false, failure: { outcome: 'declined', message: 'm', advice: '' } };
  expect(checkAnswer(charge, failure, free)).toBe(failure);
  expect(wrong({ ...charge, effect: 'reads' }, {})).toBeUndefined();
  expect(wrong({ ...charge, effect: 'repeatsSafely' }, { ...charged, amt_tran: 1 })).toBeDefined();
});

test('a response to a write that creates no record may contain several records', () => {
  const canceled = requestOf(cancelInvoice, {}, pathOf({ invoice_id: '12' }));
  expect(wrong(canceled, [{ invoice_id: 12 }, { invoice_id: 13 }])).toBeUndefined();
  expect(wrong({ ...charge, shares: [charge, charge] }, [charged, charged])).toBeUndefined();
});

describe('a response that names another payment', () => {
  test.each<[string, IDataObject, string]>([
    ['merchant', { merchant_id: 200 }, 'names merchant_id 200 instead of 100'],
    ['customer', { customer_id: 'C2' }, 'names customer_id C2 instead of C1'],
    ['currency', { tran_currency: '978' }, 'names tran_currency 978 instead of 840'],
    ['order', { purchase_id: 'A2' }, 'names purchase_id A2 instead of A1'],
    ['reference', { merch_ref_num: 'R2' }, 'names merch_ref_num R2 instead of R1'],
  ])('a response that names another %s leaves the outcome unknown', (_, more, what) =>
    expect(wrong(charge, { ...charged, ...more })).toBe(what),
  );

  test.each<[string, string]>([
    ['4111111111111111', 'x1111'],
    ['Basic YWJjOmRlZmdoaWprbG1u', 'Basic ***'],
    ['canary-key', '***'],
    ['a'.repeat(500), `${'a'.repeat(57)}...`],
  ])('the message about another customer shows neither a card number nor a secret nor a long text: %s', (id, shown) =>
    expect(wrong({ ...charge, secrets: ['canary-key'] }, { ...charged, customer_id: id })).toBe(
      `names customer_id ${shown} instead of C1`,
    ),
  );

  test.each<[unknown, string | undefined]>([
    [2500, 'shows the amount 2500.00 USD instead of 25.00 USD'],
    [-25, 'shows the amount -25.00 USD instead of 25.00 USD'],
    ['24.99', 'shows the amount 24.99 USD instead of 25.00 USD'],
    [25.01, 'shows the amount 25.01 USD instead of 25.00 USD'],
    [0, 'shows the amount 0.00 USD instead of 25.00 USD'],
    [25.004, undefined],
    ['x', 'shows an unreadable amount'],
    ['2,500.00', 'shows an unreadable amount'],
  ])('a response with the amount %j: %s', (amt_tran, what) =>
    expect(wrong(charge, { ...charged, amt_tran } as IDataObject)).toBe(what),
  );

  test.each<[string, unknown, boolean]>([
    ['010', 10, true],
    ['010', 25, true],
    ['010', 0, true],
    ['010', 25.01, false],
    ['010', -10, false],
    ['008', 10, true],
    ['000', 10, false],
    ['085', 10, false],
  ])('a partial approval %s may show a part of the amount: %j is %s', (rcode, amt_tran, isPart) =>
    expect(wrong(charge, { ...charged, rcode, amt_tran } as IDataObject) === undefined).toBe(isPart),
  );

  test('the amount of a response may include the fees of the request', () => {
    const request = requestOf(sale, { amt_tran: 25, amt_convenience_fee: 1.5, amt_tran_fee: 0.5 });
    const isRight = (amt_tran: number) => wrong(request, { ...charged, amt_tran }) === undefined;
    expect([25, 27, 26.5, 25.5].map(isRight)).toEqual([true, true, true, true]);
    expect([27.01, 24, -27].map(isRight)).toEqual([false, false, false]);
    const partly = [26, 27.01].map((amt_tran) => wrong(request, { ...charged, rcode: '010', amt_tran }) === undefined);
    expect(partly).toEqual([true, false]);
  });

  test.each<[unknown, string | undefined]>([
    ['411111******1111', undefined],
    ['xxxxxxxxxxxx1111', undefined],
    ['****', undefined],
    ['', undefined],
    ['411111******4444', 'names another card_number'],
    ['555555******1111', 'names another card_number'],
  ])('the card number %j of a response is compared with that of the request', (card_number, what) => {
    const request = requestOf(sale, { card_number: '4111111111111111', amt_tran: 25 });
    expect(wrong(request, { ...charged, card_number } as IDataObject)).toBe(what);
  });

  test('a response with several records leaves the outcome of a write that creates one unknown', () =>
    expect(wrong(charge, [charged, { ...charged, pg_id: 'p2' }])).toBe('contains several records'));

  test('the recurring amount of a subscription is compared with the amount of the request', () => {
    const subscription = requestOf(createSubscription, { customer_id: 'C1', amt_tran: 10 });
    expect(wrong(subscription, { subscription_id: 7, recur_amt: '10.00' })).toBeUndefined();
    expect(wrong(subscription, { subscription_id: 7, recur_amt: 1000 })).toBe(
      'shows the amount 1000.00 instead of 10.00',
    );
    const more = requestOf(createSubscription, { customer_id: 'C1', amt_tran: 10, pct_fee: 3 });
    const shown = [10, 10.3, 10.31].map((recur_amt) => wrong(more, { subscription_id: 7, recur_amt }) === undefined);
    expect(shown).toEqual([true, true, false]);
  });

  test('a payee, an invoice and its payment are compared as well', () => {
    const paid = requestOf(payout, { payee_id: 9, amt_tran: 25 });
    expect(wrong(paid, { pg_id: 'p', payee_id: '9' })).toBeUndefined();
    expect(wrong(paid, { pg_id: 'p', payee_id: '8' })).toBe('names payee_id 8 instead of 9');
    const payment = requestOf(addPayment, { type: 'CASH', amt_paid: 5 }, pathOf({ invoice_id: '12' }, { amt_paid: 5 }));
    expect(wrong(payment, { payment_id: 7, invoice_id: 12, amt_paid: '5.00' })).toBeUndefined();
    expect(wrong(payment, { payment_id: 7, invoice_id: 13 })).toBe('names invoice_id 13 instead of 12');
    expect(wrong(payment, { payment_id: 7, amt_paid: 6 })).toBe('shows the amount 6.00 instead of 5.00');
    const canceled = requestOf(cancelInvoice, {}, pathOf({ invoice_id: '12' }));
    expect([wrong(canceled, {}), wrong(canceled, { invoice_id: 12 })]).toEqual([undefined, undefined]);
    expect(wrong(canceled, { invoice_id: 13 })).toBe('names invoice_id 13 instead of 12');
  });

  test('the field of a record that has another name than that of the request is compared', () => {
    const field = { name: 'order', record: 'purchase_id', place: 'body', kind: 'value' };
    const operation = { ...refund, fields: [field], additional: [], footprint: undefined } as unknown as Operation;
    const request = requestOf(operation, { order: 'A1' });
    expect(wrong(request, { purchase_id: 'A2', order: 'A1' })).toBe('names purchase_id A2 instead of A1');
    expect(wrong(request, { purchase_id: 'A1', order: 'A2' })).toBeUndefined();
  });

  test('an object in the request is not compared', () => {
    const request = requestOf(sale, { customer_id: { a: 1 }, amt_tran: 25 } as IDataObject);
    expect(wrong(request, charged)).toBeUndefined();
  });
});

const pathOf = (path: IDataObject, body: IDataObject = {}) => ({ values: { path, query: {}, body, node: {} } });

describe('the total of an invoice', () => {
  const line_items = [{ quantity: 3, description: 'Hour', unit_cost: 3.33 }];
  const sales_tax = { type: 'RATE', value: 7.5 };
  const invoice = requestOf(createInvoice, { customer_id: 'C1', line_items, sales_tax });
  const created = { invoice_id: 1, customer_id: 'C1' };

  test.each<[number, boolean]>([
    [10.74, true],
    [10.73, true],
    [10.75, true],
    [10.72, false],
    [9.99, false],
  ])('the total may be rounded otherwise by a cent: %d is %s', (amt_tran, isOwn) =>
    expect(wrong(invoice, { ...created, amt_tran }) === undefined).toBe(isOwn),
  );

  test('an amount of the request may not be rounded', () =>
    expect(wrong(charge, { ...charged, amt_tran: 25.01 })).toBeDefined());

  test('the total of a changed invoice is unknown unless the request contains lines and tax', () => {
    const change = (body: IDataObject) => requestOf(updateInvoice, {}, pathOf({ invoice_id: '1' }, body));
    expect(wrong(change({ line_items }), { ...created, amt_tran: 20 })).toBeUndefined();
    expect(wrong(change({ line_items, sales_tax }), { ...created, amt_tran: 20 })).toBeDefined();
    expect(wrong(change({ line_items, sales_tax }), { ...created, amt_tran: 10.74 })).toBeUndefined();
  });
});

describe('the ID of the created record', () => {
  const cases: Array<[string, PlannedRequest, string]> = [
    ['a charge', charge, 'pg_id'],
    ['a refund', requestOf(refund, { amt_tran: 5 }), 'pg_id'],
    ['a payout', requestOf(payout, { amt_tran: 5 }), 'pg_id'],
    ['a saved card', requestOf(tokenize, {}), 'card_id'],
    ['a customer', requestOf(createCustomer, {}), 'customer_id'],
    ['a payment link', requestOf(createCheckout, {}), 'checkout_id'],
    ['an invoice', requestOf(createInvoice, {}), 'invoice_id'],
    ['a plan', requestOf(createPlan, {}), 'plan_id'],
    ['an account updater request', requestOf(submitSaved, {}), 'request_id'],
    ['a request of API Request that charges', requestOf(apiRequest, {}, { method: 'POST', path: '/pg/sale' }), 'pg_id'],
  ];

  test.each(cases)('a response without the ID of %s leaves the outcome unknown', (_, request, name) => {
    for (const record of [
      {},
      { [name]: '' },
      { [name]: ' ' },
      { [name]: null },
      { [name]: { a: 1 } },
      { [name]: true },
      { [name]: 'null' },
      { [name]: 0 },
    ])
      expect(wrong(request, record)).toBe(`contains no ${name}`);
    for (const id of ['1', 1]) expect(wrong(request, { [name]: id })).toBeUndefined();
  });

  test.each(cases)('a response with the ID of another item leaves the outcome of %s unknown', (_, request, name) => {
    const taken = (id: string) => id === '7';
    expect(wrong(request, { [name]: 7 }, taken)).toBe(`contains the ${name} of another item`);
    expect(wrong(request, { [name]: 8 }, taken)).toBeUndefined();
  });

  test.each<[string, PlannedRequest, string]>([
    ['refund', requestOf(refund, {}, pathOf({ pgIdOrig: '7' })), 'pg_id'],
    ['copied invoice', requestOf(copyInvoice, {}, pathOf({ invoice_id: '7' })), 'invoice_id'],
    ['API Request', requestOf(apiRequest, {}, { method: 'POST', path: '/pg/refund/7' }), 'pg_id'],
  ])('a response with the ID of the original record leaves the outcome of a %s unknown', (_, request, name) => {
    expect(wrong(request, { [name]: 7 })).toBe(`contains the ${name} of the original record`);
    expect(wrong(request, { [name]: 8 })).toBeUndefined();
  });

  test('the ID of a new record can equal the ID of another kind of record', () => {
    const payment = requestOf(addPayment, {}, pathOf({ invoice_id: '7' }));
    expect(wrong(payment, { payment_id: 7 })).toBeUndefined();
  });

  test('a write that creates no record needs no ID', () => {
    for (const request of [
      requestOf(cancelInvoice, {}),
      requestOf(apiRequest, {}, { method: 'POST', path: '/platform/webhook' }),
      requestOf(apiRequest, {}, { method: 'POST', path: '/pg/tokenize' }),
      requestOf(apiRequest, {}, { method: 'POST', path: '/platform/invoice' }),
      requestOf(apiRequest, {}, { method: 'PUT', path: '/pg/sale' }),
    ])
      expect(wrong(request, {}, () => true)).toBeUndefined();
  });

  test('a created customer may get another ID than the requested ID', () => {
    const request = requestOf(createCustomer, { customer_id: 'C1' });
    expect(wrong(request, { customer_id: 'C2' })).toBeUndefined();
  });
});

test('the values of a request that several items share are not compared, but its ID is', () => {
  const shared = { ...charge, shares: [charge, charge] };
  expect(wrong(shared, { ...charged, customer_id: 'C2', amt_tran: 50 })).toBeUndefined();
  expect(wrong(shared, {})).toBe('contains no pg_id');
});

test('a request of API Request is compared by the names of its fields', () => {
  const request = requestOf(
    apiRequest,
    { customer_id: 'C1', amt_tran: 25, memo: 'a', label: 'L' },
    { method: 'POST', path: '/pg/sale' },
  );
  expect(wrong(request, { pg_id: 'p', memo: 'b' })).toBeUndefined();
  expect(wrong(request, { pg_id: 'p', customer_id: 'C2' })).toBe('names customer_id C2 instead of C1');
  expect(wrong(request, { pg_id: 'p', label: 'M' })).toBe('names label M instead of L');
  expect(wrong(request, { pg_id: 'p', amt_tran: 250 })).toBe('shows the amount 250.00 instead of 25.00');
});
