import { newGate } from './controlled';

const success = (gate: ReturnType<typeof newGate>) => async () => {
  gate.speedUp();
  return await Promise.resolve(true);
};

const through = async (count: number, key: (index: number) => string | undefined): Promise<void> => {
  const gate = newGate();
  await Promise.all(Array.from({ length: count }, async (_, index) => await gate.run(key(index), success(gate))));
};

async function closedWithAllWaiting(count: number): Promise<void> {
  const gate = newGate();
  const key = (index: number) => (index % 2 ? `k${index % 1000}` : undefined);
  const all = Array.from({ length: count }, async (_, index) => await gate.run(key(index), success(gate)));
  gate.close();
  await Promise.allSettled(all);
}

const kinds: Array<[string, (count: number) => Promise<void>]> = [
  ['without a key', async (count) => await through(count, () => undefined)],
  ['of one key', async (count) => await through(count, () => 'k')],
  ['of many keys', async (count) => await through(count, (index) => `k${index % (count / 4)}`)],
  ['that wait when the gate closes', closedWithAllWaiting],
];

/** What is linear takes ten times the effort, what is quadratic a hundred times. */
const MOST = 20;
const MOST_ROUNDS = 6;

/** Processor time in milliseconds: it does not count what else the computer does, but what that costs (caches, garbage). */
async function effort(run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** How much more the one takes than the other: the least of each of some rounds, until that is little enough. */
async function ratio(many: () => Promise<void>, few: () => Promise<void>): Promise<number> {
  let [most, least] = [Infinity, Infinity];
  for (let round = 0; round < MOST_ROUNDS && !(most / least < MOST); round += 1) {
    for (let turn = 0; turn < 3; turn += 1) least = Math.min(least, await effort(few));
    most = Math.min(most, await effort(many));
  }
  return most / least;
}

test.each(kinds)(
  'ten times as many requests %s take less than twenty times the effort',
  async (_, run) => {
    await run(2000);
    expect(
      await ratio(
        async () => await run(50_000),
        async () => await run(5_000),
      ),
    ).toBeLessThan(MOST);
  },
  240_000,
);
