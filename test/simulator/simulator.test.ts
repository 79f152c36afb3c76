import { quantity } from '../quantity';
import { draw } from './draw';
import { MONEY, movingOperations } from './money';
import { playSeeds } from './play';
import { shrink } from './shrink';
import { simulate } from './simulate';

/** Number of random tests to run. `npm run simulate` runs 100,000 tests by default. */
const SEEDS = Number(process.env.SEEDS ?? quantity(2000, 5000));

test('random schedules apply each write as often as intended, report correct outcomes and reveal no secret', async () => {
  expect((await playSeeds(1, SEEDS)).failing).toEqual([]);
});

test.each([
  [109_588, 'two equal refunds with Return the Existing Record, and a response without an ID'],
  [5757, 'a lower limit after n8n 1 was killed'],
  [8885, 'equal tool calls at the same time'],
  [10_134, 'Send Again after two kills and two edits'],
  [43_566, "an equal tool call, while the day's report can't be read"],
  [2983, "a tool call after a kill, while the day's report can't be read"],
  [93_386, 'two simultaneous equal tool calls: the first is refused before it is sent, and n8n is then killed'],
  [83_424, 'the code of a shared request with a row that is invalid now'],
  [773, "n8n 1 runs the node again because a record's field error is false"],
  [154_189, 'a lost refund in a loop after a kill, and an equal refund of a later iteration'],
  [50_866, 'a new execution after a partial approval, whose code the report lacks'],
  [85_344, 'an equal payment on an invoice in another execution, which the first list lacked'],
  [219_525, 'existing payouts to two payees with the same name and account'],
  [1191, "n8n runs a tool that allows equal payments again because of a record's field error"],
  [514_823, 'tool calls that Limit per Execution refused, and a retry with another host'],
])('the node passes the checks in a schedule that once failed: seed %i, %s', async (seed) => {
  expect((await simulate(draw(seed))).violations).toEqual([]);
});

test('the simulator picks every operation that moves money', () => {
  const declared = movingOperations().map(({ value }) => value);
  expect(MONEY.toSorted()).toEqual(declared.toSorted());
  const drawn = new Set(Array.from({ length: 1000 }, (_, seed) => draw(seed).operation));
  expect(MONEY.filter((name) => !drawn.has(name))).toEqual([]);
});

test.each(MONEY)('the node sends the operation %s, and the service applies the request', async (name) => {
  const applied = async (seed: number) =>
    (await simulate(draw(seed, name))).footprint.some((line) => /books: object \d+ was applied [1-9]/.test(line));
  const seeds = Array.from({ length: 40 }, (_, seed) => seed).filter((seed) => draw(seed, name).operation === name);
  const found: number[] = [];
  for (const seed of seeds) if (found.length === 0 && (await applied(seed))) found.push(seed);
  expect(found).toHaveLength(1);
});

test('the simulator runs a seed identically each time', async () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const [first, second] = [await simulate(draw(seed)), await simulate(draw(seed))];
    expect(second.footprint).toEqual(first.footprint);
  }
});

test('the simulator reduces a failing schedule to its necessary parts', async () => {
  const found = draw(2);
  const smallest = await shrink(found, async ({ items }) => await Promise.resolve(items.length >= 1));
  expect(smallest.items).toHaveLength(1);
  expect(smallest.retries).toEqual([]);
  expect(smallest.service.writes.flat()).toEqual([]);
});
