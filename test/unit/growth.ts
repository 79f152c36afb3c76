/**
 * Ten times the input takes ten times the time of a linear function, and a hundred times that of a quadratic one. Garbage
 * collection adds to the time, and the more so the more is kept.
 */
const TIMES = 10;
const MOST_TIMES = 40;
const MOST_ROUNDS = 6;

/** Processor time: it leaves out what else the computer does, but not what that costs (caches, garbage). */
async function time(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/**
 * Expects that the processor time grows with the input and not with its square. Compares the shortest times of several
 * rounds, until the growth is small enough.
 */
export async function expectLinearTime(run: (count: number) => unknown, many: number): Promise<void> {
  let [most, least] = [Infinity, Infinity];
  for (let round = 0; round < MOST_ROUNDS && !(most / least < MOST_TIMES); round += 1) {
    for (let turn = 0; turn < 3; turn += 1) least = Math.min(least, await time(() => run(many / TIMES)));
    most = Math.min(most, await time(() => run(many)));
  }
  expect(most / least).toBeLessThan(MOST_TIMES);
}
