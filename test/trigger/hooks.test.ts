import { sleep } from 'n8n-workflow';

import { credentialFor } from '../credential';
import { timeIsSimulated } from '../simulated-time';
import { sandboxForFile } from '../workflow/bench';
import { TriggerHost, type HostOptions } from './host';

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });
const EVENTS = { events: ['*'] };

let hosts: TriggerHost[] = [];
afterEach(async () => {
  sandbox.control.clearLatency();
  sandbox.control.clearFaults();
  for (const host of hosts) await host.close();
  hosts = [];
});

async function open(options: HostOptions = {}): Promise<TriggerHost> {
  const host = await TriggerHost.open(credentialFor(sandbox), EVENTS, options);
  hosts.push(host);
  return host;
}

/** Opens a second n8n process of the same n8n instance. */
async function otherProcessOf({ id, database, address }: TriggerHost): Promise<TriggerHost> {
  const other = await open({ workflowId: id, database, publicOrigin: address });
  await other.restart();
  return other;
}

const webhooks = () => sandbox.control.state().webhooks;
const statuses = () => webhooks().map(({ status }) => status);
const activeIds = () => webhooks().flatMap(({ status, webhook_id }) => (status === 'ACTIVE' ? [webhook_id] : []));
const outcomes = async (calls: Array<Promise<unknown>>) =>
  (await Promise.allSettled(calls)).map(({ status }) => status === 'fulfilled');
const deliver = async (webhookId: number) =>
  await sandbox.control.sendDelivery({ webhookId, event: 'invoice_paid', data: { invoice_id: Math.random() } });
const failsToList = () => void sandbox.control.addFault({ kind: 'status', status: 503, method: 'GET' });

describe('hooks of one node', () => {
  test.each([2, 5])(
    '%d activations at the same time create one webhook, whose deliveries are accepted',
    async (many) => {
      const host = await open();
      const done = await outcomes(Array.from({ length: many }, async () => await host.activate()));
      expect(done).toEqual(Array(many).fill(true));
      expect(statuses()).toEqual(['ACTIVE']);
      expect(await deliver(activeIds()[0] ?? 0)).toBe(200);
      await host.restart();
      expect(await deliver(activeIds()[0] ?? 0)).toBe(200);
    },
  );

  test.each(['GET', 'POST'])(
    'a deactivation during a slow %s of an activation leaves no active webhook',
    async (method) => {
      const host = await open();
      sandbox.control.addLatency({ method, milliseconds: 2000 });
      const activation = host.activate();
      await sleep(500);
      expect(await host.deactivate()).toBe(true);
      await activation;
      expect(statuses()).toEqual(['DISABLED']);
    },
  );

  test('an activation during a slow deactivation leaves one active webhook', async () => {
    const host = await open();
    await host.activate();
    sandbox.control.addLatency({ method: 'PUT', milliseconds: 2000 });
    const deactivation = host.deactivate();
    await sleep(500);
    await host.activate();
    expect(await deactivation).toBe(true);
    expect(statuses()).toEqual(['ACTIVE']);
  });

  test('an activation after a failed activation is not affected by the failure', async () => {
    const host = await open();
    sandbox.control.addFault({ kind: 'status', status: 400, method: 'POST', calls: [1] });
    expect(await outcomes([host.activate(), host.activate()])).toEqual([false, true]);
    await sleep(0);
    expect(statuses()).toEqual(['ACTIVE']);
  });

  test('two failed activations at the same time keep the webhook that was active before', async () => {
    const host = await open();
    await host.activate();
    failsToList();
    expect(await outcomes([host.activate(), host.activate()])).toEqual([false, false]);
    sandbox.control.clearFaults();
    expect(statuses()).toEqual(['ACTIVE']);
    expect(host.state).toMatchObject({ registrations: expect.anything() as object });
    expect(JSON.stringify(host.state)).toContain('"active":true');
    expect(await host.deactivate()).toBe(true);
    expect(statuses()).toEqual(['DISABLED']);
  });

  test('a failed activation keeps the active webhooks of all triggers, however long n8n waits for the first', async () => {
    const host = await open();
    const { id, database } = host;
    const second = await open({ workflowId: id, database, nodeName: 'Second' });
    await host.activate();
    await second.activate();
    failsToList();
    expect(await outcomes([host.activate()])).toEqual([false]);
    // n8n asks the triggers of the workflow one after another. Each waits for the service.
    sandbox.control.clearFaults();
    expect(await second.deactivate()).toBe(true);
    expect(statuses()).toEqual(['ACTIVE', 'ACTIVE']);
    expect(await second.deactivate()).toBe(true);
    expect(statuses()).toEqual(['ACTIVE', 'DISABLED']);
  });

  test('a deactivation during an activation that fails disables the webhook', async () => {
    const host = await open();
    await host.activate();
    sandbox.control.addLatency({ method: 'GET', milliseconds: 1000 });
    sandbox.control.addFault({ kind: 'status', status: 400, method: 'GET', calls: [1] });
    const activation = outcomes([host.activate()]);
    await sleep(500);
    expect(await host.deactivate()).toBe(true);
    expect(await activation).toEqual([false]);
    expect(statuses()).toEqual(['DISABLED']);
  });

  test('the end of a test run during its slow start disables only the test webhook', async () => {
    const host = await open();
    await host.activate();
    sandbox.control.addLatency({ method: 'POST', milliseconds: 2000 });
    const start = host.listen();
    await sleep(500);
    expect(await host.stopListening()).toBe(true);
    await start;
    expect(statuses()).toEqual(['ACTIVE', 'DISABLED']);
  });

  test("hooks of different nodes don't wait for each other", async () => {
    const [host, other] = [await open(), await open()];
    sandbox.control.addLatency({ method: 'POST', milliseconds: 2000 });
    const startedAt = Date.now();
    await Promise.all([host.activate(), other.activate()]);
    expect(Date.now() - startedAt).toBeLessThan(4000);
    expect(statuses()).toEqual(['ACTIVE', 'ACTIVE']);
  });
});

test('two activations at the same time leave an active webhook, and the next activation leaves only one', async () => {
  const host = await open();
  const other = await otherProcessOf(host);
  await Promise.all([host.activate(), other.activate()]);
  expect(activeIds().length).toBeGreaterThan(0);
  expect(statuses().at(-1)).toBe('ACTIVE');
  await host.activate();
  expect(activeIds()).toHaveLength(1);
  expect(await deliver(activeIds()[0] ?? 0)).toBe(200);
});

test('an activation names a newer webhook of another process, and a delivery of this webhook is not lost', async () => {
  const host = await open();
  const other = await otherProcessOf(host);
  sandbox.control.addLatency({ method: 'GET', milliseconds: 500 });
  const activation = host.activate();
  await sleep(100);
  await Promise.all([activation, other.activate()]);
  sandbox.control.clearLatency();
  expect(statuses()).toEqual(['DISABLED', 'ACTIVE']);
  const newest = Number(activeIds()[0]);
  const words = `Another n8n process created webhook ${newest} of this node`;
  expect([host, other].filter(({ log }) => log.some(({ text }) => text.includes(words)))).toHaveLength(1);
  expect([200, 503]).toContain(await deliver(newest));
  await host.idle();
  expect(host.executions.length + host.problems.length).toBe(1);
  await host.activate();
  expect(activeIds()).toHaveLength(1);
  expect(await deliver(activeIds()[0] ?? 0)).toBe(200);
});
