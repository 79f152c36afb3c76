/** How far simulated time goes at once, in milliseconds; what is due within is still run in its order. */
const STEP_MS = 20;
/** What takes longer than so many milliseconds of simulated time never ends: a test of it fails at once. */
const LONGEST_MS = 600_000;

/** What comes of `work` as simulated time passes. Throws when it does not end. */
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
