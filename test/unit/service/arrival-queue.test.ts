import fc from 'fast-check';

import { ArrivalQueue } from '../../../nodes/PaymentPlatform/service/gate';

const arrivals = fc.uniqueArray(fc.integer(), { maxLength: 60 });

function takeAll(queue: ArrivalQueue<{ arrival: number }>): number[] {
  const taken: number[] = [];
  for (let entry = queue.take(); entry; entry = queue.take()) taken.push(entry.arrival);
  return taken;
}

test('the queue returns entries in order of arrival', () => {
  fc.assert(
    fc.property(arrivals, (numbers) => {
      const queue = new ArrivalQueue<{ arrival: number }>();
      for (const arrival of numbers) queue.add({ arrival });
      expect(queue).toHaveLength(numbers.length);
      expect(takeAll(queue)).toEqual([...numbers].sort((a, b) => a - b));
      expect(queue).toHaveLength(0);
    }),
  );
});

test('the queue returns the earliest entry even if entries are added in between', () => {
  fc.assert(
    fc.property(arrivals, fc.infiniteStream(fc.boolean()), (numbers, takes) => {
      const queue = new ArrivalQueue<{ arrival: number }>();
      const waiting: number[] = [];
      for (const arrival of numbers) {
        queue.add({ arrival });
        waiting.push(arrival);
        waiting.sort((a, b) => a - b);
        if (takes.next().value) expect(queue.take()?.arrival).toBe(waiting.shift());
      }
      expect(takeAll(queue)).toEqual(waiting);
    }),
  );
});

test('the queue returns all entries when emptied', () => {
  const queue = new ArrivalQueue<{ arrival: number }>();
  for (const arrival of [3, 1, 2]) queue.add({ arrival });
  expect(
    queue
      .empty()
      .map(({ arrival }) => arrival)
      .sort(),
  ).toEqual([1, 2, 3]);
  expect(queue).toHaveLength(0);
  expect(queue.take()).toBeUndefined();
});

test('the queue needs few comparisons for each of 10,000 entries', () => {
  let comparisons = 0;
  const queue = new ArrivalQueue<{ arrival: number }>();
  for (let index = 0; index < 10_000; index++) {
    const arrival = (index * 48_271) % 10_007;
    queue.add({
      get arrival() {
        comparisons += 1;
        return arrival;
      },
    });
  }
  while (queue.take());
  expect(comparisons / 10_000).toBeLessThan(100);
});
