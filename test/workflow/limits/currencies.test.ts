import type { IDataObject } from 'n8n-workflow';

import { benchOf, sandboxForFile } from '../bench';

const sandbox = sandboxForFile();
const { run } = benchOf(sandbox);

const YEN = '392';
const charge = (amt_tran: string, additionalFields: IDataObject = { tran_currency: YEN }): IDataObject => ({
  ...{ resource: 'transaction', operation: 'sale', paymentMethod: 'customerCard', customer_id: 'CUST0001' },
  ...{ amt_tran, additionalFields },
});
const invoice = (line: IDataObject, more: IDataObject = {}): IDataObject => ({
  ...{ resource: 'invoice', operation: 'create', customer_id: 'CUST0001' },
  line_items: {
    item: [
      { description: 'A', quantity: 1, unit_cost: 5 },
      { description: 'B', quantity: 1, ...line },
    ],
  },
  additionalFields: { tran_currency: 'JPY', ...more },
});
const api = ({
  path = '/pg/sale',
  body = {},
  query = {},
}: {
  path?: string;
  body?: object;
  query?: object;
}): IDataObject => ({
  ...{ resource: 'api', operation: 'request', method: 'POST', path, body: JSON.stringify(body) },
  queryParameters: { item: Object.entries(query).map(([name, value]) => ({ name, value: value as string })) },
});
const plan = { own_plan_code: 'YEN', plan_name: 'A', plan_desc: 'B', plan_frequency: 3, endsAfter: 'cancellation' };

test.each<[string, IDataObject, string]>([
  ['a charge', charge('1000.50'), '"Amount" must be a whole number, because JPY has no decimals (found 1000.5)'],
  [
    'the fee of a charge',
    charge('1000', { tran_currency: 'jpy', fees: { amt_tran_fee: 0.5 } }),
    'Fee" must be a whole',
  ],
  [
    'a currency in another field',
    charge('9.99', { extraBodyFields: `{"tran_currency":"${YEN}"}` }),
    '"Amount" must be',
  ],
  [
    'an unknown extra amount',
    charge('9', { tran_currency: YEN, extraBodyFields: '{"amt_tip":0.5}' }),
    '"amt_tip" must be',
  ],
  ['an invoice line', invoice({ unit_cost: '10.50' }), '"Line Items 2 > Unit Cost" must be a whole number'],
  [
    'the total of a line',
    invoice({ unit_cost: 1001, quantity: 0.5 }),
    '"Line Items 2" must be a whole number, because JPY has no decimals (found the total 500.5)',
  ],
  [
    'a sales tax',
    invoice({ unit_cost: 5 }, { sales_tax: { item: { type: 'AMOUNT', value: 0.5 } } }),
    '"Sales Tax" must be',
  ],
  [
    'a new plan',
    { resource: 'plan', operation: 'create', ...plan, recur_amt: '9.50', additionalFields: { tran_currency: YEN } },
    'must be a whole number, because JPY has no decimals (found 9.5)',
  ],
  [
    'an API request',
    {
      resource: 'api',
      operation: 'request',
      method: 'POST',
      path: '/pg/sale',
      body: `{"amt_tran":"1000.50","tran_currency":${YEN}}`,
    },
    '"amt_tran" must be a whole number',
  ],
  ...['JPY', 'jpy', ' 392 ', '108'].map((tran_currency): [string, IDataObject, string] => [
    `an API request with the currency ${tran_currency}`,
    api({ body: { amt_tran: 10.5, tran_currency } }),
    '"amt_tran" must be a whole number',
  ]),
  [
    'an amount in the query of an API request',
    api({ query: { amt_tran: '10.50', tran_currency: YEN } }),
    '"amt_tran" must be a whole number',
  ],
  [
    'a currency beside the amount in an object of an API request',
    api({ path: '/platform/orders', body: { order: { amt_tran: 10.5, tran_currency: YEN } } }),
    '"order > amt_tran" must be a whole number',
  ],
  [
    'a currency around the objects of an API request',
    api({ body: { tran_currency: YEN, orders: [{ amt_tran: 10, amt_tip: [1, 0.5] }] } }),
    '"orders 1 > amt_tip" must be a whole number',
  ],
])(
  'decimals in a currency without decimals are refused before anything is sent: %s',
  async (_, parameters, message) => {
    const { error } = await run(parameters);
    expect(error?.message).toContain(message);
    expect(sandbox.control.journal()).toEqual([]);
  },
);

test('a plan keeps its currency, so an update with decimals is refused', async () => {
  const created = await run({
    resource: 'plan',
    operation: 'create',
    ...plan,
    recur_amt: '900',
    additionalFields: { tran_currency: YEN },
  });
  expect(created.error?.message).toBeUndefined();
  const { error } = await run({
    resource: 'plan',
    operation: 'update',
    plan_code: { __rl: true, mode: 'id', value: 'YEN' },
    recur_amt: '9.50',
  });
  expect(error?.message).toContain('must be a whole number, because JPY has no decimals (found 9.5)');
  expect(sandbox.control.journal().filter(({ method }) => method === 'PUT')).toEqual([]);
});

test.each<[string, IDataObject]>([
  ['1000 yen', charge('1000')],
  ['1000.00 yen', charge('1000.00')],
  ['1000.50 dollars', charge('1000.50', {})],
  ['1000.50 in an unknown currency', charge('1000.50', { tran_currency: '999' })],
  [
    'an invoice with a tax rate',
    invoice({ unit_cost: 5, quantity: 2 }, { sales_tax: { item: { type: 'RATE', value: 8.25 } } }),
  ],
])('sends %s', async (_, parameters) => {
  expect((await run(parameters)).error?.message ?? '').not.toContain('decimals');
  expect(sandbox.control.journal().length).toBeGreaterThan(0);
});
