import { sleep } from 'n8n-workflow';

import { Gate, NotStarted } from '../../../nodes/PaymentPlatform/service/gate';
import { settle } from '../controlled';
import { ended } from '../ended';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

async function measure(gate: Gate, count: number, key: (index: number) => string | undefined = () => undefined) {
  const started: number[] = [];
  let running = 0;
  let most = 0;
  await ended(
    Promise.all(
      Array.from(
        { length: count },
        async (_, index) =>
          await gate.run(key(index), async () => {
            started.push(index);
            most = Math.max(most, (running += 1));
            await sleep(5);
            running -= 1;
            gate.speedUp();
          }),
      ),
    ),
  );
  return { started, most };
}

test('starts with five requests in flight and never exceeds the limit', async () => {
  const gate = new Gate({ most: 20, longestWaitMs: 120_000 });
  const first: number[] = [];
  const all = Promise.all(
    Array.from(
      { length: 30 },
      async (_, index) =>
        await gate.run(undefined, async () => {
          first.push(index);
          await sleep(5);
        }),
    ),
  );
  await settle();
  expect(first).toEqual([0, 1, 2, 3, 4]);
  await ended(all);
  expect((await measure(new Gate({ most: 20, longestWaitMs: 120_000 }), 200)).most).toBe(20);
  expect((await measure(new Gate({ most: 1, longestWaitMs: 120_000 }), 10)).most).toBe(1);
});

test('starts requests in input order', async () => {
  const { started } = await measure(new Gate({ most: 7, longestWaitMs: 120_000 }), 100);
  expect(started).toEqual([...started].sort((a, b) => a - b));
});

test('never overlaps requests for the same object and keeps their order', async () => {
  const gate = new Gate({ most: 50, longestWaitMs: 120_000 });
  const perKey = new Map<string, number>();
  const order: Record<string, number[]> = {};
  await ended(
    Promise.all(
      Array.from({ length: 90 }, async (_, index) => {
        const key = `k${index % 3}`;
        await gate.run(key, async () => {
          expect(perKey.get(key) ?? 0).toBe(0);
          perKey.set(key, 1);
          (order[key] ??= []).push(index);
          await sleep(1);
          perKey.set(key, 0);
          gate.speedUp();
        });
      }),
    ),
  );
  for (const indexes of Object.values(order)) expect(indexes).toEqual([...indexes].sort((a, b) => a - b));
  expect(Object.values(order).flat()).toHaveLength(90);
});

test('pauses all requests after a slow-down, halves the limit and lets it grow slowly', async () => {
  const gate = new Gate({ most: 16, longestWaitMs: 120_000 });
  await measure(gate, 50);
  gate.slowDown(100);
  const before = Date.now();
  const { most } = await measure(gate, 12);
  expect(Date.now() - before).toBeGreaterThanOrEqual(100);
  expect(most).toBeLessThanOrEqual(10);
  expect((await measure(gate, 400)).most).toBe(16);
});

test('rejects waiting requests after closing and completes running requests', async () => {
  const gate = new Gate({ most: 2, longestWaitMs: 120_000 });
  const results = Promise.allSettled(
    Array.from(
      { length: 6 },
      async () =>
        await gate.run('same', async () => {
          await sleep(10);
          return 'done';
        }),
    ),
  );
  await settle();
  gate.close();
  const settled = await ended(results);
  expect(settled[0]).toEqual({ status: 'fulfilled', value: 'done' });
  expect(settled.slice(1).every((result) => result.status === 'rejected' && result.reason instanceof NotStarted)).toBe(
    true,
  );
});

test('starts nothing after the execution is canceled, even from a pause', async () => {
  let canceled = false;
  const gate = new Gate({ most: 5, longestWaitMs: 120_000, canceled: () => canceled });
  gate.slowDown(10_000);
  const waiting = gate.run(undefined, async () => await Promise.resolve('sent'));
  canceled = true;
  await expect(ended(waiting)).rejects.toBeInstanceOf(NotStarted);
});

test('frees the slot of a failed task', async () => {
  const gate = new Gate({ most: 1, longestWaitMs: 120_000 });
  await expect(gate.run('k', async () => await Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(gate.run('k', async () => await Promise.resolve(1))).resolves.toBe(1);
});
