/** Step of simulated time in milliseconds. */
const STEP_MS = 20;
/** Maximum simulated time in milliseconds. */
const LONGEST_MS = 600_000;

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
