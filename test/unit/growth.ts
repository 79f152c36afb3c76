/** What is linear takes ten times the effort, what is quadratic a hundred times. */
export const MOST = 20;
const MOST_ROUNDS = 6;

/** Processor time in milliseconds: it does not count what else the computer does, but what that costs (caches, garbage). */
async function effort(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** How much more the one takes than the other: the least of each of some rounds, until that is little enough. */
export async function ratio(many: () => unknown, few: () => unknown): Promise<number> {
  let [most, least] = [Infinity, Infinity];
  for (let round = 0; round < MOST_ROUNDS && !(most / least < MOST); round += 1) {
    for (let turn = 0; turn < 3; turn += 1) least = Math.min(least, await effort(few));
    most = Math.min(most, await effort(many));
  }
  return most / least;
}
