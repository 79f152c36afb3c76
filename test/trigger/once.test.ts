import axios from 'axios';

import { openTriggerBench, webhookIdOf, type TriggerBench } from './bench';

let bench: TriggerBench;

beforeEach(async () => {
  bench = await openTriggerBench();
});

afterEach(async () => await bench.close());

const emitted = () => bench.host.executions.length;

test('a repetition is answered 200 and not emitted again', async () => {
  expect(await bench.deliver('invoice_paid', { invoice_id: 1 })).toEqual([200]);
  expect(await bench.sandbox.control.repeatDelivery({ copies: 5 })).toEqual([200, 200, 200, 200, 200]);
  expect(emitted()).toBe(1);
});

test('a repetition is recognised after n8n was killed and started again', async () => {
  await bench.deliver('invoice_paid', { invoice_id: 1 });
  bench.host.restart();
  expect(await bench.sandbox.control.repeatDelivery()).toEqual([200]);
  expect(emitted()).toBe(1);
});

test('of many copies at the same time one is emitted', async () => {
  bench.host.startMs = 200;
  bench.host.refusedExecutions = 1;
  await bench.deliver('invoice_paid', { invoice_id: 1 });
  expect(await bench.sandbox.control.repeatDelivery({ copies: 10, concurrent: true })).toEqual(Array(10).fill(200));
  expect(emitted()).toBe(1);
});

test('a delivery that n8n could not take is not acknowledged, and emitted when it is repeated', async () => {
  bench.host.refusedExecutions = 1;
  expect(await bench.deliver('invoice_paid', { invoice_id: 1 })).toEqual([500]);
  expect(emitted()).toBe(0);
  bench.sandbox.control.advanceClock({ minutes: 2 });
  await bench.sandbox.control.settleDeliveries();
  expect(emitted()).toBe(1);
});

test('a copy that waits for a delivery which n8n could not take is emitted in its place', async () => {
  bench.host.startMs = 200;
  bench.host.refusedExecutions = 2;
  await bench.deliver('invoice_paid', { invoice_id: 1 });
  const statuses = await bench.sandbox.control.repeatDelivery({ copies: 3, concurrent: true });
  expect(statuses.sort()).toEqual([200, 200, 500]);
  expect(emitted()).toBe(1);
});

test('deliveries at the same time do not lose each other, also after a restart', async () => {
  bench.host.startMs = 50;
  const { auth_settings } = bench.sandbox.control.webhookSecrets(webhookIdOf(bench));
  const post = async (id: number) =>
    await axios.post(
      bench.host.url,
      { event: 'invoice_paid', data: { id } },
      {
        auth: { username: auth_settings?.user_name ?? '', password: auth_settings?.user_password ?? '' },
        proxy: false,
      },
    );
  const ids = Array.from({ length: 40 }, (_, id) => id);
  await Promise.all(ids.map(post));
  bench.host.restart();
  await Promise.all(ids.map(post));
  expect(emitted()).toBe(ids.length);
});

test('a caller that hangs up does not make the delivery count as lost', async () => {
  bench.host.startMs = 300;
  const { auth_settings } = bench.sandbox.control.webhookSecrets(webhookIdOf(bench));
  const auth = { username: auth_settings?.user_name ?? '', password: auth_settings?.user_password ?? '' };
  const body = { event: 'invoice_paid', data: { id: 1 } };
  await expect(axios.post(bench.host.url, body, { auth, proxy: false, timeout: 100 })).rejects.toThrow(/timeout/);
  expect((await axios.post<unknown>(bench.host.url, body, { auth, proxy: false })).data).toMatchObject({
    duplicate: true,
  });
  expect(emitted()).toBe(1);
});

test('what is stored is bounded and holds no content', async () => {
  for (let id = 0; id < 30; id += 1) await bench.deliver('invoice_paid', { customer: `Ada ${id}` });
  const delivered = bench.host.state.delivered as string[];
  expect(delivered).toHaveLength(30);
  for (const entry of delivered) expect(entry).toMatch(/^[\w-]{16}[0-9a-z]{6,7}$/);
  bench.host.state = { ...bench.host.state, delivered: Array.from({ length: 5000 }, (_, n) => fakeEntry(n)) };
  bench.host.restart();
  await bench.deliver('invoice_paid', { customer: 'one more' });
  expect(bench.host.state.delivered).toHaveLength(1000);
});

const fakeEntry = (n: number) => `${String(n).padStart(16, '_')}${Math.floor(Date.now() / 1000).toString(36)}`;

test('after a day a delivery counts as new', async () => {
  await bench.deliver('invoice_paid', { invoice_id: 1 });
  const dayBefore = Math.floor(Date.now() / 1000 - 24 * 3600 - 1).toString(36);
  const delivered = (bench.host.state.delivered as string[]).map((entry) => entry.slice(0, 16) + dayBefore);
  bench.host.state = { ...bench.host.state, delivered };
  bench.host.restart();
  expect(await bench.sandbox.control.repeatDelivery()).toEqual([200]);
  expect(emitted()).toBe(2);
});

test('an activation that ends while a delivery is under way is not undone by it', async () => {
  bench.host.startMs = 400;
  const before = webhookIdOf(bench);
  const delivery = bench.deliver('invoice_paid', { invoice_id: 1 });
  await new Promise((resolve) => setTimeout(resolve, 150));
  bench.host.parameters = { events: ['*'], options: { webhook_node: bench.host.credential.merchantId ?? '' } };
  await bench.host.activate();
  const after = webhookIdOf(bench);
  expect(await delivery).toEqual([200]);
  expect(after).not.toBe(before);
  expect(webhookIdOf(bench)).toBe(after);
});
