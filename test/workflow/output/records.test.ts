import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { sandboxForFile } from '../bench';
import { runWorkflow } from '../harness';

const sandbox = sandboxForFile({ seed: false });

const credential = () => ({
  environment: 'test',
  baseUrl: sandbox.baseUrl,
  merchantId: sandbox.credentials.test.merchantId,
  authMethod: 'apiToken',
  apiToken: sandbox.credentials.test.token,
});

const run = async (rows: IDataObject[], parameters: INodeParameters) =>
  await runWorkflow({ rows, parameters, credential: credential() });

test.each([0, 1, 100, 101, 250])('returns all of %d customers once with Return All', async (count) => {
  sandbox.control.addCustomers(count);
  const { items, error } = await run([{}], {
    resource: 'customer',
    operation: 'getAll',
    returnAll: true,
    simplify: false,
  });
  expect(error).toBeUndefined();
  expect(items).toHaveLength(count);
  expect(new Set(items.map(({ json }) => json.customer_id)).size).toBe(count);
  expect(items.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(true);
});

test('sends filters and sorting to the service and returns matching records in order', async () => {
  const ids = sandbox.control.addCustomers(30);
  const { items } = await run([{}], {
    resource: 'customer',
    operation: 'getAll',
    returnAll: true,
    filterMode: 'fields',
    filter: { item: [{ field: 'customer_id', condition: 'IS_NOT', value: ids[3] as string }] },
    sorting: { order_on: 'customer_id', order_by: 'asc' },
  });
  const found = items.map(({ json }) => json.customer_id as string);
  expect(found).toHaveLength(29);
  expect(found).toEqual([...found].sort());
  expect(Object.keys(items[0]?.json ?? {}).length).toBeLessThanOrEqual(10);
});

test('creates and updates a card token without showing the card number anywhere', async () => {
  const number = '4111111111111111';
  const first = await run([{ number }], {
    resource: 'card',
    operation: 'tokenize',
    card_number: '={{ $json.number }}',
    exp_date: '1230',
    cvv2: '987',
  });
  const token = first.items[0]?.json as IDataObject;
  expect(token).toMatchObject({ rcode: '000', card_number: expect.stringMatching(/^4\d*x+1111$/i) as string });
  const second = await run([{}], {
    resource: 'card',
    operation: 'updateToken',
    tokenized_card_id: token.card_id as string,
    exp_date: '0131',
  });
  expect(second.items[0]?.json).toMatchObject({ rcode: '000', card_id: token.card_id });
  expect(JSON.stringify(first.items)).not.toContain(number);
  expect(JSON.stringify(first.items)).not.toContain('987');
});

test('creates, sends and records a payment on an invoice with the states of the service', async () => {
  const created = await run([{}], {
    resource: 'invoice',
    operation: 'create',
    customer_id: { __rl: true, mode: 'id', value: 'NEW1' },
    line_itemsMode: 'fields',
    line_items: { item: [{ quantity: 3, description: 'Part', unit_cost: 0.1 }] },
    simplify: false,
    additionalFields: {
      save_customer: true,
      billing_contact: { item: { first_name: 'Ana', last_name: 'Silva', email_address: 'a@x.com' } },
    },
  });
  expect(created.error).toBeUndefined();
  expect(created.items[0]?.json).toMatchObject({ status: 'SAVED', amt_tran: 0.3 });
  const invoice_id = created.items[0]?.json.invoice_id as number;
  const sent = await run([{ invoice_id }], {
    resource: 'invoice',
    operation: 'send',
    invoice_id: '={{ $json.invoice_id }}',
    email_address: ['a@x.com'],
  });
  expect(sent.items[0]?.json).toEqual({
    what_happened: `Sent invoice ${invoice_id} by email to a@x.com.`,
    invoice_id,
    email_address: ['a@x.com'],
  });
  expect(sandbox.control.state().invoices[0]).toMatchObject({ status: 'OUTSTANDING' });
  const paid = await run([{ invoice_id }], {
    resource: 'invoice',
    operation: 'addPayment',
    invoice_id: '={{ $json.invoice_id }}',
    type: 'CHECK',
    amt_paid: '={{ 0.1 + 0.2 }}',
    date_payment: '2026-03-31',
  });
  expect(paid.items[0]?.json).toMatchObject({ status: 'PAID', type: 'CHECK', amt_paid: 0.3 });
  expect(sandbox.control.state().invoices[0]).toMatchObject({ status: 'PAID', amt_balance: 0 });
});

describe('size of a list', () => {
  const customers = async (parameters: object) =>
    await run([{}], { resource: 'customer', operation: 'getAll', ...parameters });

  test.each(['={{ "true" }}', '={{ 1 }}', true])('returns all records if Return All is %p', async (returnAll) => {
    sandbox.control.addCustomers(60);
    expect((await customers({ returnAll })).items.length).toBeGreaterThanOrEqual(60);
  });

  test('accepts a limit given as text', async () => {
    sandbox.control.addCustomers(5);
    expect((await customers({ limit: '={{ "2" }}' })).items).toHaveLength(2);
  });

  test.each([
    [{ limit: '={{ "many" }}' }, '"Limit" must be a whole number of at least 1 (found "many")'],
    [{ limit: 0 }, '"Limit" must be a whole number of at least 1 (found 0)'],
    [{ returnAll: '={{ "yes" }}' }, '"Return All" must be true or false (found "yes")'],
    [{ simplify: '={{ "maybe" }}' }, '"Simplify" must be true or false (found "maybe")'],
  ])('refuses %j instead of guessing', async (parameters, message) => {
    expect((await customers(parameters)).error?.message).toContain(message);
  });
});
