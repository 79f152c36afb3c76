import { sleep } from 'n8n-workflow';

import { bodyOf, call, noted, openTriggerBench, webhookIdOf, type TriggerBench } from './bench';

let bench: TriggerBench;

beforeEach(async () => {
  bench = await openTriggerBench();
});

afterEach(async () => await bench.close());

const emitted = async () => await bench.emitted();

test("a retried delivery gets 200 and isn't emitted again", async () => {
  expect(await bench.deliver('invoice_paid', { invoice_id: 1 })).toEqual([200]);
  expect(await bench.sandbox.control.repeatDelivery({ copies: 5 })).toEqual([200, 200, 200, 200, 200]);
  expect(await emitted()).toBe(1);
});

test('a retried delivery is recognized after n8n was killed and restarted', async () => {
  await bench.deliver('invoice_paid', { invoice_id: 1 });
  await noted(bench);
  await bench.host.restart();
  expect(await bench.sandbox.control.repeatDelivery()).toEqual([200]);
  expect(await emitted()).toBe(1);
});

test('only one of many simultaneous copies is emitted', async () => {
  bench.host.startMs = 200;
  bench.host.refusedExecutions = 1;
  await bench.deliver('invoice_paid', { invoice_id: 1 });
  expect(await bench.sandbox.control.repeatDelivery({ copies: 10, concurrent: true })).toEqual(Array(10).fill(200));
  expect(await emitted()).toBe(1);
});

test("a delivery that n8n can't accept isn't acknowledged, and is emitted when retried", async () => {
  bench.host.refusedExecutions = 1;
  expect(await bench.deliver('invoice_paid', { invoice_id: 1 })).toEqual([500]);
  expect(await emitted()).toBe(0);
  await bench.sandbox.control.advanceClock({ minutes: 2 });
  await bench.sandbox.control.settleDeliveries();
  expect(await emitted()).toBe(1);
});

test("a waiting copy is emitted if n8n can't accept the original", async () => {
  bench.host.startMs = 200;
  bench.host.refusedExecutions = 2;
  await bench.deliver('invoice_paid', { invoice_id: 1 });
  const statuses = await bench.sandbox.control.repeatDelivery({ copies: 3, concurrent: true });
  expect(statuses.sort()).toEqual([200, 200, 500]);
  expect(await emitted()).toBe(1);
});

test("simultaneous deliveries aren't lost, even after a restart", async () => {
  bench.host.startMs = 50;
  const bodies = Array.from({ length: 40 }, () => bodyOf(bench));
  const post = async (body: object) => await call(bench, { body });
  await Promise.all(bodies.map(post));
  await noted(bench);
  await bench.host.restart();
  await Promise.all(bodies.map(post));
  expect(await emitted()).toBe(bodies.length);
});

test("a caller that disconnects doesn't make the delivery count as lost", async () => {
  bench.host.startMs = 300;
  const body = bodyOf(bench);
  await expect(call(bench, { body, hangsUpAfterMs: 100 })).rejects.toThrow('canceled');
  expect((await call(bench, { body })).data).toMatchObject({ duplicate: true });
  expect(await emitted()).toBe(1);
});

test('the workflow stores nothing of a delivery, and the database entries are bounded and contain no content', async () => {
  for (let id = 0; id < 30; id += 1) await bench.deliver('invoice_paid', { customer: `Ada ${id}` });
  await noted(bench);
  expect(Object.keys(bench.host.state)).toEqual(['registrations']);
  expect(bench.host.database.marks).toHaveLength(32);
  for (const mark of bench.host.database.marks)
    expect(mark).toMatch(/^(taken [\w-]{16}|hour \d+|vague \d+ invoice_paid)$/);
  await bench.host.database.fill(36_000);
  await bench.deliver('invoice_paid', { customer: 'one more' });
  expect(bench.host.database.marks.length).toBeLessThanOrEqual(30_000);
});

test('two events within a second are duplicates only if they are identical', async () => {
  const first = bodyOf(bench);
  const other = { ...first, data: { invoice_id: 'another' } };
  for (const body of [first, other, first, other]) expect((await call(bench, { body })).status).toBe(200);
  expect(await emitted()).toBe(2);
});

test("an activation that ends during a delivery isn't reverted by the delivery", async () => {
  bench.host.startMs = 400;
  const delivery = bench.deliver('invoice_paid', { invoice_id: 1 });
  await sleep(150);
  bench.host.parameters = { events: ['*'], options: { webhook_node: bench.host.credential.merchantId ?? '' } };
  await bench.host.activate();
  const after = bench.host.state;
  expect(await delivery).toEqual([200]);
  expect(bench.host.state).toEqual(after);
  expect(Object.keys(after.registrations as object)).toHaveLength(2);
});

describe.each([2, 1] as const)('a canceled execution in n8n %d', (major) => {
  const HOUR_MS = 3_600_000;
  let finished: number;

  beforeEach(async () => {
    await bench.close();
    bench = await openTriggerBench({ events: ['*'] }, { major });
    finished = 0;
    bench.host.work = async () => {
      await sleep(20_000);
      finished += 1;
    };
  });

  async function cancelAfter(milliseconds: number): Promise<object> {
    const body = bodyOf(bench);
    expect((await call(bench, { body })).data).toEqual({ received: true });
    await sleep(milliseconds);
    bench.host.cancelExecutions();
    await sleep(30_000);
    finished = 0;
    return body;
  }

  test.each([0, 1_500, 15_000])(
    'the trigger emits a retried delivery after the execution was canceled at %d ms',
    async (milliseconds) => {
      const body = await cancelAfter(milliseconds);
      expect((await call(bench, { body })).data).toEqual({ received: true });
      await sleep(30_000);
      expect(finished).toBe(1);
      expect((await call(bench, { body })).data).toEqual({ received: true, duplicate: true });
    },
  );

  test("a restart of n8n doesn't mark a canceled execution as completed", async () => {
    const body = await cancelAfter(1_500);
    await bench.host.restart();
    await call(bench, { body });
    await sleep(HOUR_MS);
    expect(finished).toBe(1);
  });
});

test('an event starts both the test run and the published workflow', async () => {
  await bench.host.listen();
  bench.sandbox.control.fireEvent({ event: 'invoice_paid', data: { invoice_id: 77 } });
  await bench.sandbox.control.settleDeliveries();
  expect(await emitted()).toBe(2);
  const webhooks = bench.host.executions.map(([item]) => item?.json.webhook_id);
  expect(new Set(webhooks).size).toBe(2);
  await bench.host.stopListening();
});

test.each(['test', 'production'] as const)(
  'if the %s webhook receives the event first, both webhooks emit the event',
  async (first) => {
    const production = webhookIdOf(bench);
    await bench.host.listen();
    const isOther = ({ webhook_id }: { webhook_id: number }) => webhook_id !== production;
    const { webhook_id: test = 0 } = bench.sandbox.control.state().webhooks.find(isOther) ?? {};
    const testUrl = bench.host.url.replace('/webhook/', '/webhook-test/');
    const body = bodyOf(bench);
    const calls = [
      { body: { ...body, webhook_id: test }, webhookId: test, url: testUrl },
      { body, webhookId: production },
    ];
    if (first === 'production') calls.reverse();
    for (const one of calls) expect((await call(bench, one)).data).toEqual({ received: true });
    expect(await emitted()).toBe(2);
    await bench.host.stopListening();
  },
);
