import type { IDataObject } from 'n8n-workflow';

import { clientFor } from '../sandbox/client';
import { bodyOf, call, triggerBenchForTest, webhookIdOf } from './bench';

const bench = triggerBenchForTest({ events: ['invoice_paid'] });
afterEach(() => jest.restoreAllMocks());

async function webhooks(): Promise<IDataObject[]> {
  const { sandbox } = bench;
  const client = clientFor(sandbox.baseUrl, `Basic ${sandbox.credentials.test.token}`);
  return (await client.get<{ data: IDataObject[] }>('/platform/webhook?count=100')).data.data;
}

const standing = async () => (await webhooks()).map(({ status, events }) => [status, events]);

/** Parameters for another merchant, who needs a new webhook. */
const MOVED = { events: ['invoice_paid'], options: { webhook_node: '100000000002' } };

test('an activation that fails while listing webhooks keeps a working webhook unchanged', async () => {
  bench.sandbox.control.addFault({ kind: 'status', status: 500, method: 'GET' });
  await expect(bench.host.activate()).rejects.toThrow(/could not list its webhooks/);
  bench.sandbox.control.clearFaults();
  expect(await standing()).toEqual([['ACTIVE', ['invoice_paid']]]);
  expect(await bench.deliver('invoice_paid', { invoice_id: 1 })).toEqual([200]);
});

test('the first deactivation after a failed activation disables the webhook', async () => {
  bench.sandbox.control.addFault({ kind: 'status', status: 500, method: 'GET' });
  await expect(bench.host.activate()).rejects.toThrow(/could not list its webhooks/);
  bench.sandbox.control.clearFaults();
  await bench.host.deactivate();
  expect(await standing()).toEqual([['DISABLED', ['invoice_paid']]]);
});

test('a replaced webhook receives no new events and delivers held ones', async () => {
  const old = webhookIdOf(bench);
  const held = bodyOf(bench);
  bench.host.parameters = MOVED;
  await bench.host.activate();
  expect(await standing()).toEqual([
    ['ACTIVE', ['validate_url']],
    ['ACTIVE', ['invoice_paid']],
  ]);
  expect((await call(bench, { body: held, webhookId: old })).status).toBe(200);
  expect(await bench.deliver('invoice_paid', { invoice_id: 'new' })).toEqual([200]);
  expect(await bench.emitted()).toBe(2);
  await bench.host.restart();
  expect((await call(bench, { body: { ...held, data: { invoice_id: 'held too' } }, webhookId: old })).status).toBe(200);
  expect(await bench.emitted()).toBe(3);
});

test('the next event or activation disables a replaced webhook after its time limit', async () => {
  bench.host.parameters = MOVED;
  await bench.host.activate();
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 61 * 60 * 1000);
  bench.host.parameters = { ...MOVED, options: { ...MOVED.options, maxAge: 0 } };
  expect(await bench.deliver('invoice_paid', { invoice_id: 1 })).toEqual([200]);
  expect((await webhooks()).map(({ status }) => status)).toEqual(['DISABLED', 'ACTIVE']);
  await bench.host.activate();
  expect((await webhooks()).map(({ status }) => status)).toEqual(['DISABLED', 'ACTIVE']);
});

test("if the trigger can't disable a replaced webhook, the trigger retries at the next event", async () => {
  bench.host.parameters = { ...MOVED, options: { ...MOVED.options, maxAge: 0 } };
  await bench.host.activate();
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 61 * 60 * 1000);
  bench.sandbox.control.addFault({ kind: 'status', status: 500, method: 'PUT' });
  expect(await bench.deliver('invoice_paid', { invoice_id: 1 })).toEqual([200]);
  expect((await webhooks()).map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE']);
  bench.sandbox.control.clearFaults();
  bench.sandbox.control.clearJournal();
  for (const invoice_id of [2, 3, 4]) expect(await bench.deliver('invoice_paid', { invoice_id })).toEqual([200]);
  expect((await webhooks()).map(({ status }) => status)).toEqual(['DISABLED', 'ACTIVE']);
  expect(bench.sandbox.control.journal().filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

describe.each([
  ['label suffix', { label: 'Renamed' }],
  ['address', { notification_url: 'https://x.example/' }],
])('a webhook whose %s a user changed', (_, change) => {
  const takeOver = async (id: number) => {
    const client = clientFor(bench.sandbox.baseUrl, `Basic ${bench.sandbox.credentials.test.token}`);
    await client.put(`/platform/webhook/${id}`, change);
    return (await webhooks()).find(({ webhook_id }) => Number(webhook_id) === id);
  };
  const anHourLater = () => {
    const now = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => now() + 61 * 60 * 1000);
  };

  test.each(['before', 'after'] as const)(
    'the trigger never changes it again if the change came %s the replacement',
    async (moment) => {
      const old = webhookIdOf(bench);
      bench.host.parameters = { ...MOVED, options: { ...MOVED.options, maxAge: 0 } };
      if (moment === 'after') await bench.host.activate();
      const changed = await takeOver(old);
      if (moment === 'before') await bench.host.activate();
      anHourLater();
      expect(await bench.deliver('invoice_paid', { invoice_id: 1 })).toContain(200);
      await bench.host.activate();
      expect((await webhooks())[0]).toEqual(changed);
      expect((await webhooks())[1]).toMatchObject({ status: 'ACTIVE', events: ['invoice_paid'] });
    },
  );

  test("the trigger doesn't change it if a deactivation can't list webhooks", async () => {
    const old = webhookIdOf(bench);
    const changed = await takeOver(old);
    bench.sandbox.control.addFault({ kind: 'status', status: 500, method: 'GET' });
    expect(await bench.host.deactivate()).toBe(false);
    bench.sandbox.control.clearFaults();
    expect(bench.host.log.map(({ text }) => text).join()).toContain(`Webhook ${old} may still be active`);
    expect(await webhooks()).toEqual([changed]);
  });
});

test('a deactivation disables the old and the new webhook, and the next activation reuses the new webhook', async () => {
  bench.host.parameters = MOVED;
  await bench.host.activate();
  await bench.host.deactivate();
  expect((await webhooks()).map(({ status }) => status)).toEqual(['DISABLED', 'DISABLED']);
  await bench.host.activate();
  expect((await webhooks()).map(({ status }) => status)).toEqual(['DISABLED', 'ACTIVE']);
});

test('a webhook suspended by the service is enabled again, and items mention it until the next activation', async () => {
  const client = clientFor(bench.sandbox.baseUrl, `Basic ${bench.sandbox.credentials.test.token}`);
  await client.put(`/platform/webhook/${webhookIdOf(bench)}/disable`, {});
  await bench.host.activate();
  await bench.deliver('invoice_paid', { invoice_id: 1 });
  expect(bench.host.executions[0]?.[0]?.json.notice).toMatch(/^Webhook \d+ had the status DISABLED until /);
});
