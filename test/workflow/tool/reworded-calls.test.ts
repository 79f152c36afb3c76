import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { timeIsSimulated } from '../../simulated-time';
import { sandboxForFile } from '../bench';
import { toolOf } from './tool-harness';

timeIsSimulated();
const sandbox = sandboxForFile();

const ai = (key: string) => `={{ $fromAI('${key}') }}`;
const LIMITS = { limitPerItem: '50', limitPerExecution: '500' };
const own = () => ({ credential: credentialFor(sandbox), looksUp: true });
const money = (operation: string, more: IDataObject): INodeParameters =>
  ({ resource: 'transaction', operation, amt_tran: 25, allowAgent: true, ...LIMITS, ...more }) as INodeParameters;
const applied = (operationId: string) =>
  sandbox.control.journal({ operationId }).filter((one) => one.applied !== null).length;
const firstCard = () => sandbox.control.state().customers[0]?.billing_cards[0]?.card_id ?? '';

const CUSTOMER = { paymentMethod: 'customerCard', customer_id: 'CUST0001' };
const CARD = { paymentMethod: 'card', card_number: '4111111111111111', exp_date: '12/35' };
const ACCOUNT = { paymentMethod: 'bankAccount', tr_number: '021000021', dda_number: ai('x') };
const inAddress = (name: string) => ({ additionalFields: { billingAddress: { [name]: ai('x') } } });

const WORDINGS: Array<[string, IDataObject, Array<string | number>]> = [
  [
    'the cardholder name of a customer',
    { ...CUSTOMER, ...inAddress('cardholder_name') },
    ['Ana Silva', 'Ana P. Silva'],
  ],
  ['the CVV of a card', { ...CARD, cvv2: ai('x') }, ['', '999']],
  ['the cardholder name of a card', { ...CARD, ...inAddress('cardholder_name') }, ['Ana Silva', 'ANA SILVA']],
  ['the email address of a card', { ...CARD, ...inAddress('customer_email') }, ['', 'ana@example.com']],
  [
    'the address for the receipt',
    { ...CARD, additionalFields: { receipt: { email_address: ai('x') } } },
    ['', 'ana@example.com'],
  ],
  ['the zeros before an account number', ACCOUNT, ['000987653541', '987653541']],
];

describe.each(['sale', 'authorize', 'credit'])('two calls of a tool for %s', (operation) => {
  test.each(WORDINGS)('differ only in %s, so the node sends one', async (_, more, values) => {
    const tool = toolOf({ parameters: money(operation, more), ...own() });
    for (const x of values) await tool.call({ x });
    expect(applied(operation)).toBe(1);
  });

  test("differ only in the customer's own card, so the node sends one", async () => {
    const tool = toolOf({ parameters: money(operation, { ...CUSTOMER, card_id: ai('x') }), ...own() });
    for (const x of ['', firstCard()]) await tool.call({ x });
    expect(applied(operation)).toBe(1);
  });

  test('have different amounts, so the node sends both', async () => {
    const tool = toolOf({ parameters: money(operation, { ...CUSTOMER, amt_tran: ai('x') }), ...own() });
    for (const x of [25, 26]) await tool.call({ x });
    expect(applied(operation)).toBe(2);
  });
});

test('a tool refuses a charge that an API Request of another tool made', async () => {
  const charge = toolOf({ parameters: money('sale', CUSTOMER), ...own() });
  const body = JSON.stringify({ merchant_id: '100000000001', customer_id: 'CUST0001', amt_tran: 25 });
  const request = { resource: 'api', operation: 'request', method: 'POST', path: '/pg/sale', body, ...LIMITS };
  const api = toolOf({ parameters: request as INodeParameters, ...own(), data: charge.data, name: 'API' });
  await charge.call();
  await api.call();
  expect(applied('sale')).toBe(1);
});

test('two calls of a tool differ only in the tax that the amount contains, so the node sends one', async () => {
  const tool = toolOf({
    parameters: money('sale', { ...CUSTOMER, additionalFields: { levelData: { amt_tax: ai('x') } } }),
    ...own(),
  });
  for (const x of ['', 2]) await tool.call({ x });
  expect(applied('sale')).toBe(1);
});

test('two calls of a tool divide the total of an invoice into other lines, so the node sends one', async () => {
  const line_items = { item: [{ description: 'Hour', quantity: ai('x'), unit_cost: ai('y') }] };
  const invoice = { resource: 'invoice', operation: 'create', customer_id: 'CUST0001', line_items, ...LIMITS };
  const tool = toolOf({ parameters: invoice as INodeParameters, ...own() });
  for (const [x, y] of [
    [1, 25],
    [5, 5],
  ])
    await tool.call({ x, y });
  expect(applied('createInvoice')).toBe(1);
  await tool.call({ x: 1, y: 26 });
  expect(applied('createInvoice')).toBe(2);
});

test('all tools of an execution share the total of Limit per Execution', async () => {
  const limits = { limitPerItem: '50', limitPerExecution: '60' };
  const charge = toolOf({ parameters: money('sale', { ...CUSTOMER, ...limits }), ...own() });
  const forced = { ...CARD, auth_code: 'T12345', amt_tran: 40, ...limits };
  const other = toolOf({ parameters: money('force', forced), ...own(), data: charge.data, name: 'Force' });
  await charge.call();
  const { items } = await other.call();
  expect(items[0]?.result).toMatch(/"Limit per Execution" allows 60 in total\. The total so far is 25/);
  expect(applied('force')).toBe(0);
});

test.each([true, false])(
  'a key that no call used is free after a kill, although an equal call with another key is done (repeated payments allowed: %s)',
  async (allowEqual) => {
    const [pg_id] = sandbox.control.addCapturedSales({ count: 1, amountCents: 2500 });
    const refundWith = (oncePerKey: string) => {
      const parameters = money('refund', {
        pg_id,
        amt_tran: 4,
        allowEqual,
        options: { ifExists: { then: 'skip' }, oncePerKey },
      });
      return { parameters, ...own() };
    };
    const first = toolOf(refundWith('K-1'));
    expect(await first.call({})).toMatchObject({ items: [{ rcode: '000' }] });
    // Another worker runs the execution again without its memory.
    if (first.data.executionData) first.data.executionData.contextData = {};
    await toolOf({ ...refundWith('K-2'), data: first.data }).call({});
    await toolOf(refundWith('K-2')).call({});
    expect(applied('refund')).toBe(2);
  },
);
