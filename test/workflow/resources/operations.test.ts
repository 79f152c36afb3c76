import axios from 'axios';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { sandboxForFile } from '../bench';
import { runWorkflow } from '../harness';

const sandbox = sandboxForFile();

const credential = (environment: 'test' | 'production' = 'test') => ({
  environment,
  baseUrl: environment === 'test' ? sandbox.baseUrl : sandbox.productionBaseUrl,
  merchantId: sandbox.credentials[environment].merchantId,
  authMethod: 'apiToken',
  apiToken: sandbox.credentials[environment].token,
});

const run = async (parameters: INodeParameters, environment: 'test' | 'production' = 'test') =>
  await runWorkflow({ rows: [{}], parameters, credential: credential(environment) });

test('returns each transaction of the report once, even if the service returns a single object', async () => {
  const report = { resource: 'report', operation: 'getTransactions', returnAll: true, simplify: false };
  const all = await run(report);
  expect(all.error).toBeUndefined();
  expect(all.items).toHaveLength(sandbox.control.state().transactions.length);
  const pg_id = all.items[0]?.json.pg_id as string;
  const filter = {
    filterMode: 'json',
    filterJson: JSON.stringify([{ field: 'pg_id', condition: 'IS', value: pg_id }]),
  };
  const one = await run({ ...report, ...filter });
  expect(one.items.map(({ json }) => json.pg_id)).toEqual([pg_id]);
});

test('lists settled batches in the settlement report', async () => {
  sandbox.control.addCapturedSales({ count: 3, amountCents: 500 });
  sandbox.control.closeBatch();
  const { items, error } = await run({ resource: 'report', operation: 'getSettlements', returnAll: true });
  expect(error).toBeUndefined();
  expect(items.length).toBeGreaterThan(0);
  expect(items[0]?.json).toHaveProperty('amt_net');
});

test('creates one item per test dispute and refuses them in Production', async () => {
  const create = { resource: 'dispute', operation: 'createTestData' };
  const made = await run(create);
  expect(made.error).toBeUndefined();
  expect(made.items.length).toBeGreaterThan(0);
  expect(made.items[0]?.json).toHaveProperty('reason_code');
  sandbox.control.clearJournal();
  const refused = await run(create, 'production');
  expect(refused.error?.message).toMatch(/Production does not accept test disputes/);
  expect(sandbox.control.journal()).toHaveLength(0);
});

test("replaces a payee's account without showing its number, and deletes the payee", async () => {
  const dda_number = '000123456789';
  const updated = await run({
    resource: 'payee',
    operation: 'updateAccount',
    payee_id: '9001',
    tr_number: '021000021',
    dda_number,
    accountholder_name: 'Ana Silva',
  });
  expect(updated.error).toBeUndefined();
  expect(updated.items[0]?.json).toMatchObject({ accountholder_name: 'Ana Silva' });
  const deleted = await run({ resource: 'payee', operation: 'delete', payee_id: '9001' });
  expect(deleted.items[0]?.json).toEqual({
    what_happened: 'Deleted payee 9001 permanently.',
    deleted: true,
    payee_id: '9001',
  });
  expect(sandbox.control.state().payees).toHaveLength(0);
  expect(JSON.stringify([updated.items, deleted.items])).not.toContain(dda_number);
});

test('returns the status and counts of an account updater request', async () => {
  const { data } = await axios.post<{ data: { request_id: string } }>(
    `${sandbox.baseUrl}/platform/aus/add`,
    { data: [{ card_number: '4111111111111111', exp_date: '1230', card_id: 'crm-1' }] },
    { headers: { authorization: `Basic ${sandbox.credentials.test.token}` } },
  );
  const { items, error } = await run({
    resource: 'accountUpdater',
    operation: 'getSummary',
    request_id: data.data.request_id,
  });
  expect(error).toBeUndefined();
  expect(items[0]?.json as IDataObject).toMatchObject({ cnt_request: 1, request_id: data.data.request_id });
});

test('creates a webhook without secrets in the output, and requires a password for Basic authentication', async () => {
  const create: INodeParameters = {
    resource: 'webhook',
    operation: 'create',
    notification_url: 'https://n8n.example.com/webhook/x',
    label: 'Paid invoices',
    events: ['invoice_paid, subscription_suspended'],
  };
  const basic = {
    auth_type: 'BASIC',
    auth_settings: { item: { user_name: 'n8n', user_password: 'delivery-password-1' } },
  };
  const made = await run({ ...create, additionalFields: { ...basic, email_address: ['ops@example.com'] } });
  expect(made.error).toBeUndefined();
  expect(made.items[0]?.json).toMatchObject({ status: 'ACTIVE', events: ['invoice_paid', 'subscription_suspended'] });
  expect(made.items[0]?.json.security_key).toBeUndefined();
  expect(JSON.stringify(made.run)).not.toContain('"security_key"');
  expect(made.items[0]?.json.auth_settings).toEqual({ user_name: 'n8n' });
  const withKey = await run({ ...create, additionalFields: { ...basic, returnSecurityKey: true } });
  expect(withKey.items[0]?.json.security_key).toBeTruthy();
  expect([made, withKey].map(({ hints }) => hints)).toEqual([
    [expect.stringMatching(/does not contain security_key, .* turn on "Return Security Key"/)],
    [],
  ]);
  const refused = await run({ ...create, additionalFields: { auth_type: 'BASIC' } });
  expect(refused.error?.message).toMatch(/require the Authentication Type/);
  const plain = await run({ ...create, notification_url: 'http://n8n.example.com/webhook/x' });
  expect(plain.error?.message).toMatch(/Notification URL.*https/);
});
