import { sleep, type IDataObject } from 'n8n-workflow';

import { credentialFor } from '../credential';
import { clientFor } from '../sandbox/client';
import { bodyOf, call, openTriggerBench, webhookIdOf, type TriggerBench } from './bench';
import { Database } from './database';
import { TriggerHost } from './host';

const PRODUCTION = { environment: 'production' as const };

let bench: TriggerBench;
let others: TriggerHost[];

beforeEach(async () => {
  bench = await openTriggerBench();
  others = [];
});

afterEach(async () => {
  for (const other of others) await other.close();
  await bench.close();
});

const clientOf = (environment: 'test' | 'production' = 'test') => {
  const { sandbox } = bench;
  const baseUrl = environment === 'test' ? sandbox.baseUrl : sandbox.productionBaseUrl;
  return clientFor(baseUrl, `Basic ${sandbox.credentials[environment].token}`);
};

const webhooks = async (environment: 'test' | 'production' = 'test') =>
  (await clientOf(environment).get<{ data: IDataObject[] }>('/platform/webhook?count=100')).data.data;

const logOf = ({ log }: TriggerHost) => log.map(({ text }) => text).join('\n');

async function copyOf(workflowId?: string): Promise<TriggerHost> {
  const database = new Database();
  database.stored = bench.host.stored;
  const other = await TriggerHost.open(bench.host.credential, bench.host.parameters, { database, workflowId });
  others.push(other);
  await other.restart();
  return other;
}

test('an imported workflow with static data creates its own webhook and keeps the other unchanged', async () => {
  const before = await webhooks();
  const imported = await copyOf();
  await imported.activate();
  await imported.deactivate();
  const [first, second, ...more] = await webhooks();
  expect([first]).toEqual(before);
  expect(second).toMatchObject({ status: 'DISABLED', notification_url: imported.url });
  expect(more).toEqual([]);
});

test('a clone of n8n at another address creates its own webhook and only reports the other one', async () => {
  const before = await webhooks();
  const clone = await copyOf(bench.host.id);
  await clone.activate();
  const [first, second] = await webhooks();
  expect([first]).toEqual(before);
  expect(second).toMatchObject({ status: 'ACTIVE', notification_url: clone.url });
  expect(logOf(clone)).toContain(bench.host.url);
  bench.sandbox.control.fireEvent({ event: 'invoice_paid', data: { invoice_id: 1 } });
  await bench.sandbox.control.settleDeliveries();
  await Promise.all([clone.idle(), bench.host.idle()]);
  expect(bench.host.executions).toHaveLength(1);
  expect(clone.executions[0]?.[0]?.json.notice).toContain(bench.host.url);
  await clone.deactivate();
  expect((await webhooks()).map(({ status }) => status)).toEqual(['ACTIVE', 'DISABLED']);
});

test("webhooks at other addresses are disabled only on a user's request", async () => {
  const moved = await copyOf(bench.host.id);
  moved.parameters = { events: ['*'], options: { switchOffElsewhere: true } };
  await moved.activate();
  expect((await webhooks()).map(({ status }) => status)).toEqual(['DISABLED', 'ACTIVE']);
});

test.each([
  ['mark', { label: 'Renamed' }],
  ['address', { notification_url: 'https://x.example/' }],
])('the trigger creates a new webhook and no longer changes one that lost its %s', async (_, change) => {
  const id = webhookIdOf(bench);
  await clientOf().put(`/platform/webhook/${id}`, change);
  const [changed] = await webhooks();
  await bench.host.activate();
  await bench.host.deactivate();
  const [first, second] = await webhooks();
  expect(first).toEqual(changed);
  expect(second).toMatchObject({ status: 'DISABLED', notification_url: bench.host.url });
});

test('after an edit of the credential, each step names the webhook of the previous account', async () => {
  const id = webhookIdOf(bench);
  bench.host.credential = credentialFor(bench.sandbox, 'production');
  await bench.host.deactivate();
  expect(logOf(bench.host)).toContain(`Webhook ${id} of the previous account (test)`);
  bench.host.log.length = 0;
  await bench.host.activate();
  expect(logOf(bench.host)).toContain(`Webhook ${id} of the previous account (test)`);
  expect(await webhooks('production')).toMatchObject([{ status: 'ACTIVE' }]);
  const { webhook_id } = (await webhooks('production'))[0] as { webhook_id: number };
  await bench.sandbox.control.sendDelivery({ ...PRODUCTION, webhookId: webhook_id, event: 'invoice_paid' });
  await bench.host.idle();
  expect(bench.host.executions[0]?.[0]?.json.notice).toContain(`Webhook ${id}`);
  bench.host.credential = credentialFor(bench.sandbox);
  await bench.host.activate();
  await bench.host.deactivate();
  expect(await webhooks()).toMatchObject([{ webhook_id: id, status: 'DISABLED' }]);
});

test('events are never looked up in another account', async () => {
  bench.host.parameters = { events: ['*'], enrich: true };
  bench.host.credential = credentialFor(bench.sandbox, 'production');
  const body = bodyOf(bench, { event: 'checkout_payment_success', data: { checkout_id: 'abc' } });
  bench.sandbox.control.clearJournal();
  expect((await call(bench, { body })).status).toBe(200);
  await bench.host.idle();
  expect(bench.host.executions[0]?.[0]?.json).toMatchObject({
    environment: 'test',
    record: null,
    record_error: 'The event belongs to the previous account of the credential',
  });
  expect(bench.sandbox.control.journal()).toEqual([]);
});

test.each([
  ['leaves the test webhook of the original alone', {}, 'ACTIVE'],
  ['switches it off if the option "Disable Webhooks at Other URLs" is on', { switchOffElsewhere: true }, 'DISABLED'],
])('a clone that listens for a test event %s', async (_, options, status) => {
  await bench.host.listen();
  const clone = await copyOf(bench.host.id);
  clone.parameters = { events: ['*'], options };
  await clone.listen();
  await clone.stopListening();
  const byAddress = (await webhooks()).map((one) => [one.notification_url, one.status]);
  expect(byAddress).toEqual([
    [bench.host.url, 'ACTIVE'],
    [bench.host.url.replace('/webhook/', '/webhook-test/'), status],
    [clone.url.replace('/webhook/', '/webhook-test/'), 'DISABLED'],
  ]);
});

test('a test webhook left active by a killed n8n is disabled by the next test run at the same address', async () => {
  await bench.host.listen();
  await bench.host.restart();
  await bench.host.listen();
  await bench.host.stopListening();
  expect((await webhooks()).slice(1).every(({ status }) => status === 'DISABLED')).toBe(true);
});

test('differently spelled base URLs belong to the same account', async () => {
  const { baseUrl = '' } = bench.host.credential;
  const id = webhookIdOf(bench);
  bench.host.credential = { ...bench.host.credential, baseUrl: `${baseUrl.replace('http://', 'HTTP://')}/` };
  await bench.host.deactivate();
  await bench.host.activate();
  expect(await webhooks()).toMatchObject([{ webhook_id: id, status: 'ACTIVE' }]);
  expect(logOf(bench.host)).not.toContain('previous account');
});

test("a hanging lookup doesn't delay the response", async () => {
  bench.host.parameters = { events: ['*'], enrich: true };
  bench.sandbox.control.addLatency({ milliseconds: 3_000 });
  const startedAt = Date.now();
  const body = bodyOf(bench, { event: 'checkout_payment_success', data: { checkout_id: 'abc' } });
  expect((await call(bench, { body })).status).toBe(200);
  expect(Date.now() - startedAt).toBeLessThan(3_000);
  await sleep(0);
  await bench.host.idle();
  expect(bench.host.executions[0]?.[0]?.json).toHaveProperty('record');
});
