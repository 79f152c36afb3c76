import { amountOf } from '../../../nodes/PaymentPlatform/model/read-amounts';
import { dayRecordsOfPath, moneyOfPath } from '../../../nodes/PaymentPlatform/resources/api/money';
import { request } from '../../../nodes/PaymentPlatform/resources/api/request';
import type { MoneyRequest } from '../../../nodes/PaymentPlatform/model/types';
import { moneyRequest } from '../requests';

const most = (route: string, body: object = {}) => {
  const [method = '', path = ''] = route.split(' ');
  return amountOf(moneyRequest({ operation: request, method: method as MoneyRequest['method'], path, body }));
};

test.each([
  'POST /pg/ardef',
  'POST /pg/balance',
  'POST /pg/expireToken',
  'POST /pg/tokenize',
  'POST /pg/verify',
  'POST /pg/emailReceipt',
  'POST /pg/emailReceipt/123',
  'POST /platform/aus/add',
  'POST /platform/aus',
  'DELETE /platform/vault/payee/1',
  'PUT /platform/vault/customer/C1/billing',
  'POST /platform/webhook',
  'PUT /platform/webhook/5/enable',
])('an API request moves nothing or the stated amounts with %s', (route) => {
  expect(most(route)).toBe(0);
  expect(most(route, { amt_tran: 5 })).toBe(5);
  expect(most(route, { amt_tran: 'x' })).toBeUndefined();
});

test.each([
  'POST /pg/auth',
  'POST /pg/credit',
  'POST /pg/force',
  'POST /pg/payment',
  'POST /pg/sale',
  'POST /pg/capture/1',
  'POST /pg/recharge/1',
  'POST /pg/refund/1',
  'POST /platform/checkout',
  'POST /platform/plan',
  'POST /platform/subscription',
  'PUT /platform/plan/P1',
])('a request moves amt_tran with %s and an unknown amount without this field', (route) => {
  expect(most(route, { amt_tran: '12.50' })).toBe(12.5);
  expect(most(route, { amt_tax: 1, line_items: [{ quantity: 1, unit_cost: 1 }] })).toBeUndefined();
  expect(most(route)).toBeUndefined();
});

test.each(['POST /platform/invoice/1/payments', 'PUT /platform/invoice/1/payments/2'])(
  'a request moves amt_paid with %s and an unknown amount without this field',
  (route) => {
    expect(most(route, { amt_paid: 5 })).toBe(5);
    expect(most(route, { amt_tran: 5 })).toBeUndefined();
  },
);

test.each(['POST /platform/invoice', 'PUT /platform/invoice/1/draft'])(
  "a request moves the line items' total with %s and an unknown amount without line items",
  (route) => {
    const sales_tax = { type: 'AMOUNT', value: 0 };
    expect(most(route, { sales_tax, line_items: [{ quantity: 3, unit_cost: 5 }] })).toBe(15);
    expect(most(route, { sales_tax, amt_tran: 5 })).toBeUndefined();
    expect(most(route, { sales_tax, amt_tran: 5, line_items: '[{"quantity":3,"unit_cost":5}]' })).toBeUndefined();
  },
);

test('requires the tax for the total of an invoice only if an existing invoice can have a tax', () => {
  const body = { line_items: [{ quantity: 3, unit_cost: 5 }] };
  expect(most('POST /platform/invoice', body)).toBe(15);
  expect(most('PUT /platform/invoice/1/draft', body)).toBeUndefined();
});

test.each([{ trial_duration: 2 }, { prorate_first_pmt: true }])(
  'the amount of a plan change with %j is unknown, because the plan may contain an amount',
  (change) => {
    expect(most('PUT /platform/plan/P1', { amt_tran: 5, ...change })).toBeUndefined();
    expect(most('POST /platform/plan', { amt_tran: 5, ...change })).toBe(5);
  },
);

test.each([
  'POST /pg/void/1',
  'POST /pg/batchClose',
  'POST /pg/refund',
  'POST /pg/refund/1/2',
  'POST /pg/salex',
  'POST /x/pg/sale',
  'PUT /pg/sale',
  'DELETE /platform/plan/P1',
  'PUT /platform/plan',
  'PUT /platform/plan/P1/x',
  'POST /platform/plan/P1',
  'POST /platform/subscription/1/resume',
  'PUT /platform/subscription/1',
  'GET /platform/dispute/1/accept',
  'POST /platform/invoice/1/send',
  'POST /platform/invoice/1',
  'POST /platform/invoice/1/payments/2',
  'PUT /platform/invoice/1/payments',
  'PUT /platform/invoice/1/payments/2/x',
  'PUT /platform/invoice/draft',
  'PUT /platform/invoice/1/draft/2',
  'DELETE /platform/invoice/1/payments/2',
  'POST /platform/vendor/settings/key/1',
  'POST /pg/tokenizex',
  'POST /pg/tokenize/sale',
  'POST /pg/emailReceipts',
  'POST /pg/Tokenize',
  'POST /platform/vaults/x',
  'POST /x/platform/vault',
  'POST /x/pg/tokenize',
  'POST /x/pg/emailReceipt',
  'POST /x/pg/capture/1',
  'POST /x/platform/plan',
])('the amount of %s is unknown with any body', (route) => {
  const lines = [{ quantity: 1, unit_cost: 1 }];
  expect(most(route, { amt_tran: 1, amt_paid: 1, line_items: lines })).toBeUndefined();
});

test.each([
  ['POST /platform/subscription', { plan_code: 'P1' }],
  ['POST /platform/subscription', { PLAN_ID: 1 }],
  ['POST /platform/checkout', { subscription: { plan_code: 'P1' } }],
  ['POST /platform/checkout', { list: [{}, { a: { plan_code: 'P1' } }] }],
])('the amount of %s on a plan is unknown: %j', (route, body) =>
  expect(most(route, { ...body, amt_tran: 5 })).toBeUndefined(),
);

test('names the field that states the path amount', () => {
  const of = (path: string) =>
    moneyOfPath({ method: 'POST', path, values: { path: {}, query: {}, body: {}, node: {} } });
  expect([of('/pg/sale'), of('/platform/invoice'), of('/pg/tokenize'), of('/pg/void/1')]).toEqual([
    { by: 'amt_tran' },
    { by: 'line_items' },
    'named',
    'untold',
  ]);
});

test("the code or text of a new plan isn't a plan to charge", () => {
  expect(most('POST /platform/plan', { plan_code: 'P1', amt_tran: 5 })).toBe(5);
  expect(
    most('POST /platform/subscription', { plan_desc: 'plan_code', plan_codes: 1, a_plan_code: 1, amt_tran: 5 }),
  ).toBe(5);
});

test.each<[string, string, string | undefined]>([
  ['POST', '/pg/sale', 'charges and authorizations'],
  ['POST', '/pg/refund/p1', 'refunds, voids and credits'],
  ['POST', '/pg/payment', 'payouts'],
  ['GET', '/pg/sale', undefined],
  ['POST', '/pg/refund', undefined],
  ['POST', '/pg/refund/p1/x', undefined],
  ['POST', '/platform/invoice', undefined],
])('an API request of %s %s adds to the day total of %s', (method, path, of) => {
  expect(dayRecordsOfPath({ method: method as 'POST', path })?.of).toBe(of);
});
