import { sleep } from 'n8n-workflow';

import { timeIsSimulated } from '../../simulated-time';
import { keysBench, settled, startProcess, stateOf, withBody } from './keys-bench';

const bench = keysBench();
const { open } = bench;

timeIsSimulated();

test('a payment whose key another payment has is not done because three processes look it up', async () => {
  await settled(open('1'), 'unknown');
  const one = withBody({ amt_tran: 26 });
  const remove = bench.database.remove.bind(bench.database);
  const held: Array<() => void> = [];
  let holds: (gone: string[]) => boolean = () => false;
  bench.database.remove = async (gone, row) => {
    if (holds(gone)) await new Promise<void>((resolve) => held.push(resolve));
    await remove(gone, row);
  };
  const contains = (gone: string[], begins: string) => gone.some((key) => key.startsWith(begins));
  const untilHeld = async (count: number) => {
    for (let left = 30_000; left > 0 && held.length < count; left -= 1) await sleep(1);
  };
  holds = (gone) => contains(gone, 'unproven done ') && !contains(gone, 'done ');
  const first = stateOf(open('2', { process: startProcess() }), one);
  await untilHeld(1);
  holds = (gone) => contains(gone, 'done ') && !contains(gone, 'unproven done ');
  const second = stateOf(open('3', { process: startProcess() }), one);
  await untilHeld(2);
  holds = () => false;
  held[0]?.();
  await sleep(20);
  expect(await stateOf(open('4'), one)).toBe('invalid');
  held[1]?.();
  expect([await first, await second]).toEqual(['invalid', 'invalid']);
});
