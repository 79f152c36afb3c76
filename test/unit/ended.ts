/** Step of simulated time in milliseconds. Timers within a step still run in order. */
const STEP_MS = 20;
/** Maximum simulated time in milliseconds. Work that takes longer fails the test immediately. */
const LONGEST_MS = 600_000;

/** Returns the result of `work` while simulated time passes. Throws if the work doesn't end. */
export async function ended<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  void work.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  for (let passedMs = 0; !isOver; passedMs += STEP_MS) {
    if (passedMs > LONGEST_MS) throw new Error('It has not ended in ten minutes of simulated time');
    await jest.advanceTimersByTimeAsync(STEP_MS);
  }
  return await work;
}
