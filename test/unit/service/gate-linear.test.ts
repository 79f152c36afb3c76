import { expectLinear } from '../steps';
import { newGate } from '../controlled';

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

test.each(kinds)('needs less than twenty times the effort for ten times as many requests %s', async (_, run) => {
  await expectLinear(run, { few: 200, many: 50_000 });
});
