import { sleep } from 'n8n-workflow';

import { previewOf } from '../../../nodes/PaymentPlatform/n8n/preview';
import { DatabaseKeys } from '../../../nodes/PaymentPlatform/once/database-keys';
import { timeIsSimulated } from '../../simulated-time';
import { ProcessedData } from '../../processed-data';
import { account } from '../requests';
import { keyed, keysBench, random, settled, startProcess, stateOf, TIMEOUT_MS } from './keys-bench';

const bench = keysBench();
const { open } = bench;
const other = startProcess();
const third = startProcess();
const START = new Date('2030-01-01T12:00:20Z').getTime();

timeIsSimulated();
beforeEach(() => jest.setSystemTime(START));

const preview = () => DatabaseKeys.open(previewOf(bench.contextOf('2')), account, [keyed()], TIMEOUT_MS);

describe('a row that another process writes back after a removal', () => {
  /** Writes the row back after the first removal that includes one of these keys. */
  function writeBack(begins: string) {
    const { rows } = bench.database;
    const remove = bench.database.remove.bind(bench.database);
    const written = { times: 0 };
    bench.database.remove = async (gone, row) => {
      const before = rows.get(row) ?? [];
      await remove(gone, row);
      if (row !== 'row' || written.times > 0 || !gone.some((key) => key.startsWith(begins))) return;
      written.times += 1;
      rows.set(row, before);
    };
    return written;
  }

  test('does not block the key of a declined payment', async () => {
    const keys = open('1');
    expect(await stateOf(keys)).toBeUndefined();
    const written = writeBack('payment ');
    keys.settle(keyed(), 'refused');
    await keys.end();
    expect(written.times).toBe(1);
    jest.setSystemTime(START + 20 * TIMEOUT_MS);
    expect(await stateOf(open('2', { process: other }))).toBeUndefined();
  });

  test('does not take away the proof of a payment that is done', async () => {
    const keys = open('1');
    expect(await stateOf(keys)).toBeUndefined();
    const { rows } = bench.database;
    const remove = bench.database.remove.bind(bench.database);
    let before: string[] | undefined;
    let times = 0;
    // A call of another process begins before the removals and ends after them.
    bench.database.remove = async (gone, row) => {
      if (row === 'row') before ??= rows.get(row) ?? [];
      await remove(gone, row);
      if (row !== 'row' || times > 0 || !gone.some((key) => key.startsWith('payment '))) return;
      times += 1;
      rows.set(row, before ?? []);
    };
    keys.settle(keyed(), 'done');
    await keys.end();
    expect(times).toBe(1);
    expect(await stateOf(open('2', { process: other }))).toBe('done');
  });

  test.each([
    ['done', 'unproven done'],
    ['done', 'unproven copy of key'],
    ['unknown', 'unproven began'],
  ] as const)('does not change the state of a key that a preview looks up (%s, %s)', async (state, begins) => {
    await settled(open('1'), state);
    const written = writeBack(begins);
    const shown = preview();
    expect(await stateOf(shown)).toBe(state);
    await shown.end();
    expect(written.times).toBe(1);
    jest.setSystemTime(START + 20 * TIMEOUT_MS);
    const run = open('3', { process: other });
    expect(await stateOf(run)).toBe(state);
    await run.end();
    expect(await stateOf(preview())).toBe(state);
  });

  test.each([
    ['preview', preview],
    ['run', () => open('2', { process: other })],
  ])("does not count a %s's look-up as another attempt", async (_, start) => {
    const keys = open('1');
    expect(await stateOf(keys)).toBeUndefined();
    const written = writeBack('attempt ');
    const asking = start();
    expect(await stateOf(asking)).toBe('underWay');
    await asking.end();
    expect(written.times).toBe(1);
    await sleep(40_000);
    expect(await keys.oncePerKey.renew(keyed())).toBe(true);
  });
});

describe('while another process pays other keys', () => {
  const SEEDS = 25;

  /** Runs a step beside the payments with each seed. Calls take 1 to 6 ms. */
  async function beside(name: string, prepare: () => Promise<void>, step: () => Promise<void>, check: () => unknown) {
    const results: unknown[] = [];
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      jest.setSystemTime(START);
      const draw = random(seed);
      bench.database = new ProcessedData(async () => await sleep(1 + draw() * 5));
      for (const row of ['row', 'row of node']) await bench.database.check(['older'], row, { mode: 'entries' });
      bench.workflowId = `${name} ${seed}`;
      await prepare();
      const payments = Array.from({ length: 8 }, async (_, index) => {
        await sleep(draw() * 400);
        const one = keyed(`other ${index}`);
        const keys = open(`9${index}`, { process: other });
        if ((await stateOf(keys, one)) === undefined) keys.settle(one, 'done');
        await keys.end();
      });
      await sleep(draw() * 300);
      await step();
      await Promise.all(payments);
      await sleep(30 * TIMEOUT_MS);
      results.push([seed, await check()]);
    }
    return results;
  }
  const always = (result: unknown) => Array.from({ length: SEEDS }, (_, index) => [index + 1, result]);
  const stateLater = async () => await stateOf(open('3', { process: third }));

  test('a declined payment frees its key', async () => {
    let keys = open('1');
    const prepare = async () => {
      keys = open('1');
      expect(await stateOf(keys)).toBeUndefined();
    };
    const decline = async () => {
      keys.settle(keyed(), 'refused');
      await keys.end();
    };
    expect(await beside('declined', prepare, decline, stateLater)).toEqual(always(undefined));
  });

  test('a key that is done stays so after a preview', async () => {
    const prepare = async () => await settled(open('1'), 'done');
    const look = async () => {
      const keys = preview();
      await stateOf(keys);
      await keys.end();
    };
    expect(await beside('previewed', prepare, look, stateLater)).toEqual(always('done'));
  });
});
