/**
 * Ten times the input takes ten times as long for a linear function and a hundred times as long for a quadratic one.
 * Garbage collection adds time that grows with the retained memory.
 */
const TIMES = 10;
const MOST_TIMES = 40;
const MOST_ROUNDS = 6;

/**
 * Measures processor time, which excludes other work on the computer, but not its side effects on caches and garbage
 * collection.
 */
async function time(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/**
 * Expects processor time to grow linearly with the input. Compares the shortest times of several rounds until the
 * growth is small enough.
 */
export async function expectLinearTime(run: (count: number) => unknown, many: number): Promise<void> {
  let [most, least] = [Infinity, Infinity];
  for (let round = 0; round < MOST_ROUNDS && !(most / least < MOST_TIMES); round += 1) {
    for (let turn = 0; turn < 3; turn += 1) least = Math.min(least, await time(() => run(many / TIMES)));
    most = Math.min(most, await time(() => run(many)));
  }
  expect(most / least).toBeLessThan(MOST_TIMES);
}
