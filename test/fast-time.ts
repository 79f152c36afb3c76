/** How often the timers are moved, in milliseconds of real time. */
const STEP_MS = 2;

/**
 * Runs a task while time goes by faster for everything in this process: the node that waits, and the sandbox that counts
 * requests by the second. What travels over sockets takes as long as it takes.
 * @param factor how many milliseconds go by in one of real time, at most: a busy process makes it fewer.
 */
export async function inFastTime<Result>(factor: number, task: () => Promise<Result>): Promise<Result> {
  const { setInterval: repeat, clearInterval: end } = globalThis;
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'] });
  const steps = repeat(() => jest.advanceTimersByTime(STEP_MS * factor), STEP_MS);
  try {
    return await task();
  } finally {
    end(steps);
    jest.useRealTimers();
  }
}
