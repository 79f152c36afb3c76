import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { MOST_KEYS } from '../../../nodes/PaymentPlatform/n8n/key-row';
import { endRound } from '../../../nodes/PaymentPlatform/n8n/lineage';
import { begin, five, inputOf, journalBench, request, retry, type Execution } from './journal-bench';

const bench = journalBench();
const { contextOf, keysOf } = bench;

const rowOf = () => bench.database.rows.get(bench.workflowId) ?? [];

/** Opens the keys of a loop iteration. All iterations share `kept`. */
function iteration(execution: Execution, batch: PlannedRequest[], runIndex: number, kept: object) {
  const requests = batch.map((one, item) => ({ ...one, items: [item] }));
  const context = Object.assign(contextOf({ isInLoop: true, ...execution }, inputOf(requests)), {
    getContext: (name: string) => (name === 'node' ? kept : {}),
    evaluateExpression: () => runIndex,
  });
  const keys = bench.openIn(context, requests, execution);
  const end = async () => {
    for (const one of requests) keys.settle(one, 'done');
    await keys.end();
    endRound(context);
  };
  return { requests, keys, end };
}

/** Completes all items of a loop. */
async function loop(execution: Execution, batches: PlannedRequest[][], after: () => void = () => undefined) {
  const kept = {};
  const seen = [];
  for (const [runIndex, batch] of batches.entries()) {
    const { requests, keys, end } = iteration(execution, batch, runIndex, kept);
    seen.push(...(await begin(keys, requests)));
    await end();
    after();
  }
  return seen;
}

const batchesOf = (count: number, size: number, from = 1) =>
  Array.from({ length: count }, (_, batch) =>
    Array.from({ length: size }, (__, item) => request(item, { amt_tran: from + batch * size + item })),
  );

describe('keys that n8n removed, because newer keys replaced them', () => {
  test('show that an earlier attempt exists, even after many iterations of a loop', async () => {
    let without = 0;
    await loop({}, batchesOf(30, 100), () => {
      if (!rowOf().some((key) => key.startsWith('latest'))) without += 1;
    });
    expect(without).toBe(0);
  });

  test('a retry knows that keys are missing after a parallel execution replaced them', async () => {
    const keys = keysOf();
    const [first, second] = five as [PlannedRequest, PlannedRequest];
    await begin(keys, [first, second]);
    keys.settle(first, 'done');
    await keys.end();
    // The second write is still under way.
    const many = Array.from({ length: 4000 }, (_, item) => request(item, { amt_tran: 1000 + item }));
    const other = keysOf({ id: '9', established: 2000 }, many);
    for (let from = 0; from < many.length; from += 500) {
      const wave = many.slice(from, from + 500);
      await begin(other, wave);
      for (const one of wave) other.settle(one, 'done');
    }
    await other.end();
    const [found] = await begin(keysOf(retry()), [first, second]);
    expect(found).toBe('forgotten');
  });

  test.each([2, 4, 6])("a retry's look-ups remove no keys of the earlier attempt (%i places left)", async (places) => {
    const batches = batchesOf(249, 10);
    await loop({}, batches, () => {
      // Each item leaves four keys.
      const left = Math.floor((MOST_KEYS - rowOf().length) / 4);
      if (batches.length === 249 && left < 10) batches.push(...batchesOf(1, left - places, 9000));
    });
    expect(rowOf()[0]).toMatch(/^first/);
    const seen = await loop(retry(), batches);
    expect(seen.filter((found) => found === undefined)).toHaveLength(0);
  });

  test('n8n never removes all keys that show that an earlier attempt exists', async () => {
    const footprint = {
      list: {},
      isIdentifiable: () => true,
      key: ({ body }: { body: object }) => JSON.stringify(body),
    };
    const many = Array.from({ length: 1000 }, (_, item) => {
      const one = request(item);
      return { ...one, operation: { ...one.operation, footprint } } as unknown as PlannedRequest;
    });
    const keys = keysOf({ major: 1 }, many);
    await keys.giveReferences([]);
    for (let from = 0; from < many.length; from += 50) {
      const wave = many.slice(from, from + 50);
      await begin(keys, wave);
      for (const one of wave) keys.settle(one, 'done');
      await keys.end();
      expect(rowOf().some((key) => key.startsWith('latest'))).toBe(true);
    }
  });

  test('the journal stores no more than the limit of a node', async () => {
    const many = Array.from({ length: MOST_KEYS / 3 }, (_, item) => request(item));
    const keys = keysOf({}, many);
    for (let from = 0; from < many.length; from += 1000) {
      const wave = many.slice(from, from + 1000);
      await begin(keys, wave);
      for (const one of wave) keys.settle(one, 'done');
    }
    await keys.end();
    expect(rowOf().length).toBeLessThanOrEqual(MOST_KEYS);
    const [first] = await begin(keysOf(retry(), many), many.slice(0, 1));
    expect(first).toBe('forgotten');
  });
});

test.each<Execution['major']>([1, 2])(
  'a first attempt sends the items of later loop iterations after another process overwrote keys (n8n %s)',
  async (major) => {
    const kept = {};
    const seen = [];
    for (const [runIndex, batch] of batchesOf(3, 2).entries()) {
      const { requests, keys, end } = iteration({ major }, batch, runIndex, kept);
      const [first, second] = requests as [PlannedRequest, PlannedRequest];
      seen.push(await keys.begin(first, '0.0'));
      if (runIndex === 0) bench.database.rows.set(bench.workflowId, rowOf().slice(0, 5));
      seen.push(await keys.begin(second, '0.0'));
      await end();
    }
    expect(seen).toEqual(seen.map(() => undefined));
  },
);
