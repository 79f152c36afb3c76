import { sleep, type IDataObject } from 'n8n-workflow';

import { credentialFor } from '../credential';
import { bodyOf, call, noted, openTriggerBench, webhookIdOf, type TriggerBench } from './bench';
import { TriggerHost } from './host';

let bench: TriggerBench;

beforeEach(async () => {
  bench = await openTriggerBench();
});
afterEach(async () => await bench.close());

const webhooks = () => bench.sandbox.control.state().webhooks;
const statuses = () => webhooks().map(({ status }) => status);
const newest = () => webhooks().at(-1)?.webhook_id ?? 0;

/** Calls the trigger as the service does for a webhook. */
const deliver = async (webhookId: number, host = bench.host) =>
  await call(bench, {
    url: `${host.address}/webhook/Trigger/webhook`,
    webhookId,
    body: { ...bodyOf(bench), webhook_id: webhookId },
  });

const NOT_REGISTERED = (webhookId: number) =>
  expect.stringContaining(
    `The trigger rejects the deliveries of webhook ${webhookId} with status 503, because the last activation didn't register this webhook or n8n lost the data of the activation.`,
  ) as string;

describe('static data that an execution overwrote', () => {
  /** Replaces the webhook. Then an execution that began before the activation saves its old static data. */
  async function replaceAndOverwrite(): Promise<void> {
    bench.sandbox.control.rotateSecret({ webhookId: webhookIdOf(bench) });
    for (let round = 0; round < 3; round += 1) await call(bench);
    await noted(bench);
    const before = bench.host.stored;
    await bench.host.activate();
    expect(bench.host.stored).not.toEqual(before);
    bench.host.stored = JSON.stringify({ ...(JSON.parse(before) as object), 'node:Code': { seen: 1 } });
    bench.host.problems.length = 0;
  }

  test('the same process accepts deliveries of the new webhook and restores the data', async () => {
    await replaceAndOverwrite();
    expect((await deliver(newest())).status).toBe(200);
    expect(JSON.stringify(bench.host.state)).toContain(`"webhook_id":"${newest()}"`);
    await bench.host.restart();
    expect((await deliver(newest())).status).toBe(200);
  });

  test('after a restart, the service must retry, a person sees the problem, and an activation solves it', async () => {
    await replaceAndOverwrite();
    await bench.host.restart();
    const { status, headers } = await deliver(newest());
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    await noted(bench);
    expect(bench.host.problems).toEqual([NOT_REGISTERED(newest())]);
    expect(bench.host.executions).toEqual([]);
    await bench.host.activate();
    expect(statuses().filter((one) => one === 'ACTIVE')).toHaveLength(1);
    expect((await deliver(newest())).status).toBe(200);
  });

  test('in a separate webhook process, the service must retry and a person sees the problem', async () => {
    await replaceAndOverwrite();
    const { id, database, address } = bench.host;
    const other = await TriggerHost.open(
      credentialFor(bench.sandbox),
      { events: ['*'] },
      { workflowId: id, database, publicOrigin: address },
    );
    await other.restart();
    expect((await deliver(newest(), other)).status).toBe(503);
    await other.idle();
    await sleep(500);
    expect(other.problems).toEqual([NOT_REGISTERED(newest())]);
    await other.close();
  });

  test('a deactivation after a restart disables the new webhook', async () => {
    await replaceAndOverwrite();
    await bench.host.restart();
    await bench.host.deactivate();
    expect(statuses()).not.toContain('ACTIVE');
  });

  test('a caller with the wrong password still gets 401 and starts nothing', async () => {
    await replaceAndOverwrite();
    await bench.host.restart();
    const forged = { webhookId: newest(), event: 'invoice_paid', wrongPassword: true };
    expect(await bench.sandbox.control.sendDelivery(forged)).toBe(401);
    await noted(bench);
    expect(bench.host.problems).toEqual([]);
  });

  test('data of another account does not hide the webhook of the current account', async () => {
    const before = bench.host.stored;
    bench.host.credential = credentialFor(bench.sandbox, 'production');
    await bench.host.activate();
    bench.host.stored = before;
    await bench.host.restart();
    const webhookId = bench.sandbox.control.state('production').webhooks.at(-1)?.webhook_id ?? 0;
    const order = { environment: 'production', webhookId, event: 'invoice_paid' } as const;
    expect(await bench.sandbox.control.sendDelivery(order)).toBe(503);
    await noted(bench);
    expect(bench.host.problems).toEqual([NOT_REGISTERED(webhookId)]);
  });
});

describe('damaged static data', () => {
  const damageAll = (changes: object) => {
    const { registrations } = bench.host.state as { registrations: Record<string, IDataObject> };
    const entries = Object.entries(registrations).map(([key, one]) => [key, { ...one, ...changes }]);
    return { ...bench.host.state, registrations: Object.fromEntries(entries) as IDataObject };
  };
  const store = (data: unknown) => {
    bench.host.stored = JSON.stringify({ 'node:Trigger': data });
  };

  const DAMAGES: Array<[string, () => unknown]> = [
    ['null', () => null],
    ['text', () => 'x'],
    ['zero', () => 0],
    ['a list', () => []],
    ['an empty object', () => ({})],
    ...[null, 'x', 7, [null], { x: null }].map((registrations): [string, () => unknown] => [
      `the registrations ${JSON.stringify(registrations)}`,
      () => ({ registrations }),
    ]),
    ...[{ webhook_id: null }, { sealedKey: 7 }, { events: 'x' }, { mark: null }, { revision: 1e300 }].map(
      (changes): [string, () => unknown] => [
        `a registration with ${JSON.stringify(changes)}`,
        () => damageAll(changes),
      ],
    ),
    ['other notices', () => ({ notices: 'x', management: 5, registrations: 1 })],
  ];

  test.each(DAMAGES)(
    'with %s, the service must retry, a person sees the problem, and an activation solves it',
    async (_, damage) => {
      const webhookId = webhookIdOf(bench);
      const body = bodyOf(bench);
      store(damage());
      await bench.host.restart();
      expect((await call(bench, { body, webhookId })).status).toBe(503);
      await noted(bench);
      expect(bench.host.problems).toEqual([NOT_REGISTERED(webhookId)]);
      await bench.host.activate();
      expect(statuses()).toEqual(['DISABLED', 'ACTIVE']);
      await bench.host.restart();
      expect((await deliver(newest())).status).toBe(200);
      await noted(bench);
      expect(JSON.stringify(bench.host.executions)).not.toContain('notice');
    },
  );

  test.each(DAMAGES)('with %s, a deactivation disables the webhook', async (_, damage) => {
    store(damage());
    await bench.host.restart();
    expect(await bench.host.deactivate()).toBe(true);
    expect(statuses()).toEqual(['DISABLED']);
  });

  test.each(DAMAGES)('with %s, the same process still accepts deliveries and restores the data', async (_, damage) => {
    const webhookId = webhookIdOf(bench);
    const body = bodyOf(bench);
    store(damage());
    expect((await call(bench, { body, webhookId })).status).toBe(200);
    await noted(bench);
    await bench.host.restart();
    expect((await deliver(webhookId)).status).toBe(200);
    await bench.host.deactivate();
    expect(statuses()).toEqual(['DISABLED']);
  });

  test('a damaged security key is not reported as a wrong signature', async () => {
    const webhookId = webhookIdOf(bench);
    store(damageAll({ sealedKey: 'x'.repeat(100) }));
    bench.host.credential = { ...bench.host.credential, webhookSecretKeys: 'key-of-another-webhook' };
    await bench.host.restart();
    for (let delivery = 0; delivery < 4; delivery += 1) expect((await deliver(webhookId)).status).toBe(503);
    await noted(bench);
    expect(bench.host.problems).toEqual([expect.stringContaining('or the stored key is damaged')]);
    await bench.host.activate();
    expect((await deliver(newest())).status).toBe(200);
  });

  test('if the credential is also unusable, the service must retry and a person sees the reason', async () => {
    const webhookId = webhookIdOf(bench);
    const body = bodyOf(bench);
    store({});
    bench.host.credential = { ...bench.host.credential, baseUrl: '' };
    await bench.host.restart();
    expect((await call(bench, { body, webhookId })).status).toBe(503);
    await noted(bench);
    expect(bench.host.problems).toEqual([
      expect.stringMatching(/rejects deliveries with status 503, because it can't use its credential: the Base URL/),
    ]);
  });

  test('webhook IDs that an earlier version stored as numbers are still known', async () => {
    const webhookId = webhookIdOf(bench);
    store(damageAll({ webhook_id: webhookId }));
    await bench.host.restart();
    expect((await deliver(webhookId)).status).toBe(200);
    await bench.host.deactivate();
    expect(statuses()).toEqual(['DISABLED']);
  });
});

test.each([null, undefined])(
  'a delivery with the webhook ID %p is accepted if its signature is valid',
  async (webhook_id) => {
    expect((await call(bench, { body: { ...bodyOf(bench), webhook_id } })).status).toBe(200);
  },
);

test.each([true, '', 'x', {}, 1.5, '1e3'])('a delivery with the webhook ID %p is reported', async (webhook_id) => {
  expect((await call(bench, { body: { ...bodyOf(bench), webhook_id } })).status).toBe(503);
  await noted(bench);
  expect(bench.host.problems).toEqual([
    expect.stringContaining('deliveries of a webhook without a valid ID with status 503'),
  ]);
});

test('a delivery of a new webhook waits until the activation has received its ID', async () => {
  // The key is not known before the service responds, so the test signs with another key.
  bench.host.parameters = { events: ['*'], options: { webhook_node: '100000000002', signature: 'off' } };
  bench.sandbox.control.addLatency({ method: 'POST', milliseconds: 500 });
  const activation = bench.host.activate();
  await sleep(200);
  const early = call(bench, { body: bodyOf(bench, { webhook_id: newest() + 1 }) });
  await activation;
  expect((await early).status).toBe(200);
});
