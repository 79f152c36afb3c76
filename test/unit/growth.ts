/** Size ratio of the larger input to the smaller input. */
const TIMES = 10;
const MOST_TIMES = 40;
const MOST_ROUNDS = 6;

/** Returns processor time in microseconds. */
async function time(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

export async function expectLinearTime(run: (count: number) => unknown, many: number): Promise<void> {
  let [most, least] = [Infinity, Infinity];
  for (let round = 0; round < MOST_ROUNDS && !(most / least < MOST_TIMES); round += 1) {
    for (let turn = 0; turn < 3; turn += 1) least = Math.min(least, await time(() => run(many / TIMES)));
    most = Math.min(most, await time(() => run(many)));
  }
  expect(most / least).toBeLessThan(MOST_TIMES);
}
