import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import { onEnd } from '../../../nodes/PaymentPlatform/trigger/delivery-dedup';

const MINUTE = 60_000;
const RAN = { resultData: { runData: { Trigger: [] } } };
const FAILED = { resultData: { runData: { Trigger: [] }, error: { message: 'x' } } };
const WAITS = { ...RAN, waitTill: '2026-01-01T00:00:00.000Z' };
const BEGUN = { resultData: { runData: {} } };

let data: object | undefined;
let inContext: object | undefined;
let settings: object;
let controller: AbortController;
let told: string[];
let finish: Array<() => Promise<void>>;

beforeEach(() => {
  jest.useFakeTimers();
  data = BEGUN;
  inContext = undefined;
  settings = {};
  controller = new AbortController();
  told = [];
  finish = [];
});
afterEach(() => void jest.useRealTimers());

/** n8n 1 doesn't notify nodes when an execution ends. */
function watch(major: 1 | 2, waits?: () => void): void {
  const context = {
    getExecutionId: () => '1',
    getExecutionDataById: async () => await Promise.resolve(data as IRunExecutionData | undefined),
    getExecutionCancelSignal: () => controller.signal,
    onExecutionCancellation: (handler: () => void) => void controller.signal.addEventListener('abort', handler),
    getWorkflowSettings: () => settings,
    runExecutionData: inContext,
    ...(major === 2 && { onExecutionFinish: (handler: () => Promise<void>) => void finish.push(handler) }),
  };
  onEnd(context as unknown as IExecuteFunctions, (outcome) => void told.push(outcome), waits);
}

async function end(stored: object | undefined): Promise<void> {
  data = stored;
  for (const handler of finish) await handler();
  await jest.advanceTimersByTimeAsync(10 * MINUTE);
}

test.each([1, 2] as const)('in n8n %d, the node soon sees that an execution waits', async (major) => {
  const waits = jest.fn();
  watch(major, waits);
  await jest.advanceTimersByTimeAsync(MINUTE / 2);
  expect(waits).not.toHaveBeenCalled();
  data = WAITS;
  await jest.advanceTimersByTimeAsync(MINUTE / 2);
  expect(waits).toHaveBeenCalled();
});

test('in n8n 1, the node sees the end of a short execution within seconds', async () => {
  watch(1);
  await jest.advanceTimersByTimeAsync(MINUTE / 20);
  data = RAN;
  await jest.advanceTimersByTimeAsync(MINUTE / 10);
  expect(told).toEqual(['succeeded']);
});

test.each([
  [1, BEGUN],
  [2, WAITS],
] as const)('in n8n %d, the node checks a long execution until it has ended', async (major, running) => {
  watch(major);
  data = running;
  await jest.advanceTimersByTimeAsync(30 * 60 * MINUTE);
  expect(told).toEqual([]);
  data = RAN;
  await jest.advanceTimersByTimeAsync(60 * MINUTE);
  expect(told).toEqual(['succeeded']);
});

describe.each([1, 2] as const)('the end of an execution in n8n %d', (major) => {
  test.each([
    ['ran', RAN, {}, 'succeeded'],
    ['failed', FAILED, {}, 'failed'],
    ['was deleted', undefined, {}, 'succeeded'],
    ['was deleted, where only failed ones are', undefined, { saveDataErrorExecution: 'none' }, 'failed'],
    [
      'was deleted, where all are',
      undefined,
      { saveDataErrorExecution: 'none', saveDataSuccessExecution: 'none' },
      'succeeded',
    ],
  ])('the outcome of an execution is recognized for an execution that %s', async (_, stored, given, outcome) => {
    settings = given;
    watch(major);
    await end(stored);
    expect(told).toEqual([outcome]);
  });

  const onlyFailed = { saveDataErrorExecution: 'none' };
  test.each([
    ['ran', RAN, {}, 'succeeded'],
    ['ran, where only failed ones are', RAN, onlyFailed, 'succeeded'],
    ['failed', FAILED, {}, 'failed'],
    ['failed, where all are', FAILED, { ...onlyFailed, saveDataSuccessExecution: 'none' }, 'failed'],
    ['waited', WAITS, {}, 'succeeded'],
    ['waited, where only failed ones are', WAITS, onlyFailed, 'failed'],
  ])('the outcome of a deleted execution is recognized for an execution that %s', async (_, last, given, outcome) => {
    [inContext, settings] = [last, given];
    watch(major);
    await end(undefined);
    expect(told).toEqual([outcome]);
  });

  test('the outcome of an execution is a failure for a canceled execution, although n8n stores no error', async () => {
    watch(major);
    await jest.advanceTimersByTimeAsync(500);
    controller.abort();
    await end(RAN);
    expect(told).toEqual(['failed']);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('the outcome of an execution is a failure for an execution that was canceled before it was watched', async () => {
    controller.abort();
    watch(major);
    await end(RAN);
    expect(told).toEqual(['failed']);
  });

  test('the outcome of an execution is a failure after a cancellation during a check', async () => {
    data = RAN;
    watch(major);
    const looking = Promise.all(finish.map(async (handler) => await handler()));
    await jest.advanceTimersByTimeAsync(major === 1 ? 999 : 0);
    controller.abort();
    await looking;
    await jest.advanceTimersByTimeAsync(10 * MINUTE);
    expect(told.at(-1)).toBe('failed');
  });

  test('the outcome of an execution is unknown while it waits', async () => {
    watch(major);
    data = WAITS;
    await jest.advanceTimersByTimeAsync(30 * MINUTE);
    expect(told).toEqual([]);
    data = FAILED;
    await jest.advanceTimersByTimeAsync(60 * MINUTE);
    expect(told).toEqual(['failed']);
  });
});
