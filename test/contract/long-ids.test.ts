import type { INodeParameters } from 'n8n-workflow';

import { benchOf, sandboxForFile } from '../workflow/bench';

/** ID with more digits than a JavaScript number can represent exactly. */
const LONG = /^426351789012\d{6}$/;

const sandbox = sandboxForFile();
const bench = benchOf(sandbox);
beforeEach(() => sandbox.control.setLongIds(true));

const run = async (name: string, parameters: INodeParameters) => {
  const [resource, operation] = name.split('.');
  const { items, error } = await bench.run({ resource, operation, ...parameters });
  expect(error?.message).toBeUndefined();
  return items.map(({ json }) => json);
};
const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as INodeParameters;
const customer = () => byId(String(sandbox.control.state().customers[0]?.customer_id));

test('an invoice keeps its ID from creation to payment, and the ID is output unchanged', async () => {
  const line_items = { item: [{ quantity: 1, description: 'Part', unit_cost: 12.5 }] };
  const [made] = await run('invoice.create', { customer_id: customer(), line_items });
  expect(made?.invoice_id).toMatch(LONG);
  const invoice_id = byId(made?.invoice_id);
  const [sent] = await run('invoice.send', { invoice_id, email_address: ['ana@example.com'] });
  expect(sent?.invoice_id).toBe(made?.invoice_id);
  const payment = { type: 'CHECK', amt_paid: 12.5, date_payment: '2026-03-31' };
  const [paid] = await run('invoice.addPayment', { invoice_id, ...payment });
  expect(paid).toMatchObject({ invoice_id: made?.invoice_id, payment_id: expect.stringMatching(LONG) as string });
  expect(sandbox.control.state().invoices.at(-1)?.status).toBe('PAID');
});

test('an account updater request is found by its ID', async () => {
  const data = { item: [{ card_number: '4111111111111111', exp_date: '1230' }] };
  const [submitted] = await run('accountUpdater.submit', { data });
  expect(submitted?.request_id).toMatch(LONG);
  const [summary] = await run('accountUpdater.getSummary', { request_id: submitted?.request_id as string });
  expect(summary).toMatchObject({ request_id: submitted?.request_id, cnt_request: 1 });
});

test('all report records are returned, even if their IDs differ only in the last digit', async () => {
  sandbox.control.addCapturedSales({ count: 150, amountCents: 500 });
  const records = await run('report.getTransactions', { returnAll: true, simplify: false });
  expect(records).toHaveLength(sandbox.control.state().transactions.length);
  expect(records.every(({ rec_id }) => typeof rec_id === 'string' && LONG.test(rec_id))).toBe(true);
  expect(new Set(records.map(({ rec_id }) => rec_id)).size).toBe(records.length);
});

test('a filter finds a record by its long ID', async () => {
  const [first] = await run('customer.getAll', { returnAll: false, limit: 1, simplify: false });
  expect(first?.rec_id).toMatch(LONG);
  const filter = { item: [{ field: 'rec_id', condition: 'IS', value: first?.rec_id as string }] };
  const found = await run('customer.getAll', { returnAll: true, filterMode: 'fields', filter });
  expect(found.map(({ customer_id }) => customer_id)).toEqual([first?.customer_id]);
});

test('an API request outputs a long ID as text and accepts it as a number in a JSON body', async () => {
  const path = '/platform/invoice/426351789012999999/payments';
  const body =
    '{"type":"CHECK","amt_paid":1,"date_payment":"2026-03-31","description":"of 1","mark":426351789012345678}';
  await bench.run({ resource: 'api', operation: 'request', method: 'POST', path, body });
  expect(JSON.stringify(sandbox.control.journal().at(-1)?.body)).toContain('"mark":"426351789012345678"');
  const records = await run('api.request', { method: 'GET', path: '/platform/invoice', pages: 'all' });
  expect(records.map(({ invoice_id }) => invoice_id)).toEqual(records.map(() => expect.stringMatching(LONG) as string));
});
