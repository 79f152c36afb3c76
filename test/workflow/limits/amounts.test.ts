import { NodeHelpers, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { PAYMENT_NODE, runWorkflow } from '../harness';
import { recorderForFile } from '../recorder';

const recorder = recorderForFile();

async function sent(parameters: INodeParameters, row: IDataObject = {}) {
  recorder.requests.length = 0;
  const { error } = await runWorkflow({
    rows: [row],
    parameters,
    credential: recorder.credential,
  });
  return { text: recorder.requests[0]?.text, url: recorder.requests[0]?.url, message: error?.message };
}

const refund = (amt_tran: unknown, options: IDataObject = {}) =>
  ({ resource: 'transaction', operation: 'refund', pg_id: '42', amt_tran, options }) as INodeParameters;

describe('amounts entered as text', () => {
  test.each([
    ['a number that a workflow holds', 12.5],
    ['text', '12.50'],
    ['text with space around it', '  12.50\n'],
    ['a number of an expression', '={{ $json.number }}'],
    ['text of an expression', '={{ $json.text }}'],
    ['a sum of an expression', '={{ $json.number - 0.3 + 0.1 + 0.2 }}'],
    ['an expression among text', '=1{{ 2 }}.50'],
  ])('sends %s as the same number', async (_, amount) => {
    const { text, message } = await sent(refund(amount), { number: 12.5, text: '12.50' });
    expect(message).toBeUndefined();
    expect(text).toContain('"amt_tran":12.5,');
  });

  test('sends text amounts in line items as numbers and uses 1 as the default quantity', async () => {
    const lines = {
      item: [
        { description: 'A', unit_cost: '0.10' },
        { quantity: 1.5, description: 'B', unit_cost: 9 },
      ],
    };
    const billing_contact = { item: { email_address: 'ana@example.com' } };
    const create = { resource: 'invoice', operation: 'create', customer_id: 'C1' };
    const { text } = await sent({ ...create, additionalFields: { billing_contact }, line_items: lines });
    expect(text).toContain(
      '"line_items":[{"description":"A","quantity":1,"unit_cost":0.1},{"description":"B","quantity":1.5,"unit_cost":9}]',
    );
  });
});

test.each([
  ['100,50', 'must be written with a decimal point. Did you mean 100.50?'],
  ['1.000,00', 'must be written without a thousands separator, with a decimal point. Did you mean 1000.00?'],
  ['$5', 'must be written without a currency. Did you mean 5?'],
])('refuses %s in every amount field and names the field', async (typed, allowed) => {
  const line = { quantity: 1, description: 'A', unit_cost: typed };
  const invoice = { resource: 'invoice', operation: 'create', customer_id: 'C1' };
  const month = {
    termsSource: 'offPlan',
    plan_frequency: 3,
    recur_amt: typed,
    plan_duration: 12,
    date_start: '2030-01-01',
  };
  const filter = { item: [{ field: 'amt_tran', condition: 'GREATER', value: typed }] };
  const places: Array<[string, INodeParameters]> = [
    ['Amount', refund(typed)],
    [
      'Amount Paid',
      { resource: 'invoice', operation: 'addPayment', invoice_id: '7', amt_paid: typed, date_payment: '2030-01-01' },
    ],
    ['Line Items 1 > Unit Cost', { ...invoice, line_items: { item: [line] } }],
    ['Line Items 1 > Unit Cost', { ...invoice, line_itemsMode: 'json', line_itemsJson: JSON.stringify([line]) }],
    ['Amount', { resource: 'checkout', operation: 'create', amt_tran: typed }],
    ['Recurring Amount', { resource: 'subscription', operation: 'create', customer_id: 'C1', ...month }],
    ['Limit per Item', refund(5, { limitPerItem: typed })],
    ['Limit per Execution', refund(5, { limitPerExecution: typed })],
    ['Filters 1 > Value', { resource: 'report', operation: 'getTransactions', filter }],
  ];
  for (const [label, parameters] of places) {
    const { text, url, message } = await sent(parameters);
    expect(message).toContain(`"${label}" ${allowed} (found "${typed}")`);
    expect([text, url]).toEqual([undefined, undefined]);
  }
});

test('sends a filter by amount exactly as written', async () => {
  const filter = { item: [{ field: 'amt_tran', condition: 'IS', value: '49.00' }] };
  const { url } = await sent({ resource: 'report', operation: 'getTransactions', filter });
  expect(url).toContain('filter=amt_tran%2CIS%2C49.00');
});

test('stores and reads an empty amount as nothing', async () => {
  const chosen = { resource: 'transaction', operation: 'refund' };
  const { properties } = PAYMENT_NODE.description;
  const node = {
    ...chosen,
    id: '1',
    name: 'P',
    type: 'p',
    typeVersion: 1,
    position: [0, 0] as [number, number],
    parameters: {},
  };
  const all = NodeHelpers.getNodeParameters(properties, chosen, true, false, node, PAYMENT_NODE.description);
  expect(all).toMatchObject({ amt_tran: '' });
  expect((await sent({ ...chosen, pg_id: '42', amt_tran: '={{ " " }}' })).message).toContain('"Amount" is required');
});
