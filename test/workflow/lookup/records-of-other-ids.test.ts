import type { IDataObject } from 'n8n-workflow';

import { timeIsSimulated } from '../../simulated-time';
import { benchOf, charging, sandboxForFile } from '../bench';
import { draft, idOf, subscription } from '../writes';

timeIsSimulated();

const sandbox = sandboxForFile();
const { run, writes } = benchOf(sandbox, { looksUp: true });
const answers = (path: string, data: unknown) =>
  sandbox.control.addFault({ kind: 'status', status: 200, method: 'GET', path, body: { code: 0, message: 'm', data } });
const OTHER = /because it contains a record with another \S+/;

const order = { additionalFields: { purchase_id: 'ORDER-1' } };
const returning = charging({ ifExists: { then: 'return' } }, order);

test.each<[string, string, IDataObject]>([
  ['transaction', '/platform/reporting/transactions/bypgid/*', { pg_id: 'other', customer_id: 'CUST0002' }],
  ['customer', '/platform/vault/customer/CUST0001', { customer_id: 'CUST0002', customer_first_name: 'Ana' }],
])('a charge is not sent again if the service returns another %s than requested', async (_, path, data) => {
  await run(charging({}, order));
  answers(path, data);
  const { error } = await run(returning);
  expect(error?.message).toMatch(OTHER);
  expect(writes()).toHaveLength(1);
});

test('the record of another ID never shows that a change is done', async () => {
  for (const operation of ['cancel', 'pause']) {
    sandbox.control.reset();
    await run(subscription(sandbox));
    const [made] = sandbox.control.state().subscriptions;
    const status = operation === 'cancel' ? 'C' : 'P';
    answers('/platform/subscription/*', { ...made, subscription_id: 99, status });
    const subscription_id = idOf(String(made?.subscription_id));
    const { error } = await run({ resource: 'subscription', operation, subscription_id, ifAlready: 'continue' });
    expect(error?.message).toMatch(OTHER);
    expect(writes()).toHaveLength(1);
  }
});

test('an invoice is not filled in with the values of another invoice', async () => {
  const id = await draft(sandbox);
  const line_items = [{ quantity: 1, description: 'Car', unit_cost: 9000 }];
  answers('/platform/invoice/*/detail', { invoice_id: 99, customer_id: 'CUST0001', status: 'SAVED', line_items });
  const additionalFields = { footer_note: 'Thank you' };
  const { error } = await run({ resource: 'invoice', operation: 'update', invoice_id: idOf(id), additionalFields });
  expect(error?.message).toMatch(OTHER);
  expect(writes()).toHaveLength(1);
});

test('a payout is not sent if the service returns another payee than requested', async () => {
  answers('/platform/vault/payee/*', { payee_id: 9002, payee_name: 'Bo', payee_account: { dda_number: 'xx1234' } });
  const { error } = await run({ resource: 'transaction', operation: 'payout', payee_id: idOf('9001'), amt_tran: 5 });
  expect(error?.message).toMatch(OTHER);
  expect(writes()).toHaveLength(0);
});

test('a transaction is not voided if the service returns another transaction than requested', async () => {
  const sold = async (amt_tran: number) => (await run(charging({}, { amt_tran }))).items[0]?.json;
  const [small, large] = [await sold(5), await sold(50)];
  answers('/platform/reporting/transactions/bypgid/*', small);
  const { error } = await run({ resource: 'transaction', operation: 'void', pg_id: large?.pg_id, expectedAmount: 5 });
  expect(error?.message).toMatch(OTHER);
  expect(writes()).toHaveLength(2);
});

test('references that look equal identify the same charge', async () => {
  for (const purchase_id of ['Caf\u00e9 7', 'Cafe\u0301 7', 'Caf\u00e9\u00a07'])
    await run(charging({ ifExists: { then: 'return' } }, { additionalFields: { purchase_id } }));
  expect(writes()).toHaveLength(1);
});
