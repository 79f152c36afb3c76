import type { IExecuteFunctions } from 'n8n-workflow';

import { currentRound, endRound, runIndexOf } from '../../../nodes/PaymentPlatform/n8n/lineage';

const run = (kept: object, runIndex: number, items = 2) =>
  ({
    getContext: () => kept,
    evaluateExpression: () => runIndex,
    getInputData: () => Array.from({ length: items }, () => ({ json: {} })),
  }) as unknown as IExecuteFunctions;
const roundOf = (context: IExecuteFunctions) => {
  const { number, itemsBefore } = currentRound(context);
  return [number, itemsBefore];
};
const stored = (kept: object) => JSON.parse(JSON.stringify(kept)) as object;

test('the first run of an execution is its first loop iteration, regardless of its run index', () => {
  expect([0, 1, 7].map((runIndex) => roundOf(run({}, runIndex)))).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
});

test('treats a run after a completed run as the next loop iteration, and repeated run indexes as retries', () => {
  const kept = {};
  for (const [runIndex, items] of [
    [3, 2],
    [4, 5],
  ] as const) {
    const context = run(kept, runIndex, items);
    currentRound(context);
    endRound(context);
  }
  expect(roundOf(run(kept, 4, 5))).toEqual([1, 2]);
  endRound(run(kept, 4, 5));
  expect(roundOf(run(stored(kept), 5, 1))).toEqual([2, 7]);
});

test('treats a run that never ended as retried under any run index', () => {
  const kept = {};
  currentRound(run(kept, 0));
  endRound(run(kept, 0));
  currentRound(run(kept, 1));
  expect(roundOf(run(stored(kept), 2))).toEqual([1, 2]);
});

test('starts again with the first loop iteration if the run index decreases', () => {
  const kept = {};
  for (const runIndex of [0, 1, 2]) {
    currentRound(run(kept, runIndex));
    endRound(run(kept, runIndex));
  }
  expect(roundOf(run(kept, 1))).toEqual([0, 0]);
});

test('asks n8n once per run for the run index, and again in the next run', () => {
  const kept = {};
  let asked = 0;
  const runs = [0, 1].map((runIndex) => ({
    ...run(kept, runIndex),
    evaluateExpression: () => {
      asked += 1;
      return runIndex;
    },
  })) as unknown as IExecuteFunctions[];
  expect(runs.flatMap((context) => [runIndexOf(context), runIndexOf(context)])).toEqual([0, 0, 1, 1]);
  expect(asked).toBe(2);
});

test('counts items of earlier loop iterations by their digest', () => {
  const kept = {};
  const rounds: Array<Record<string, number>> = [{ a: 2, b: 1 }, { a: 1 }];
  for (const [runIndex, own] of rounds.entries()) {
    const context = run(kept, runIndex);
    currentRound(context).own = own;
    endRound(context);
  }
  expect(currentRound(run(kept, 2)).before).toEqual({ a: 3, b: 1 });
});

test('changes nothing if a run without a loop iteration ends', () => {
  const kept = {};
  endRound(run(kept, 0));
  expect(kept).toEqual({});
});

test('recognizes a retried loop iteration by its latest run index', () => {
  const kept = {};
  for (const runIndex of [0, 2]) currentRound(run(kept, runIndex));
  endRound(run(kept, 2));
  expect(roundOf(run(stored(kept), 2))).toEqual([0, 0]);
});

test("keeps the loop iteration in the node's own context, as earlier versions of the node do", () => {
  const kept = {};
  const asked: string[] = [];
  const noted =
    <Value>(value: Value) =>
    (what: string) => {
      asked.push(what);
      return value;
    };
  const context = {
    ...run(kept, 0),
    getContext: noted(kept),
    evaluateExpression: noted(0),
  } as unknown as IExecuteFunctions;
  currentRound(context);
  endRound(context);
  expect(asked.sort()).toEqual(['node', 'node', '{{ $runIndex }}']);
  expect(Object.keys(kept)).toEqual(['paymentPlatformRounds']);
});
