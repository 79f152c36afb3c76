import { sleep } from 'n8n-workflow';

import { KeyRow } from '../../../nodes/PaymentPlatform/n8n/key-row';
import { previewOf } from '../../../nodes/PaymentPlatform/n8n/preview';
import { DatabaseKeys } from '../../../nodes/PaymentPlatform/once/database-keys';
import { timeIsSimulated } from '../../simulated-time';
import { ProcessedData } from '../../processed-data';
import { account } from '../requests';
import {
  inOrder,
  keyed,
  keysBench,
  overlapping,
  random,
  resolving,
  resume,
  settled,
  slow,
  startProcess,
  stateOf,
  TIMEOUT_MS,
  turns,
  unknownKey,
  withBody,
  type Setting,
} from './keys-bench';

const bench = keysBench();
const { open } = bench;
const other = startProcess();
const third = startProcess();
const START = new Date('2030-01-01T12:00:20Z').getTime();

timeIsSimulated();
beforeEach(() => jest.setSystemTime(START));

/** Runs an execution that sends its item again if it may. Returns whether the item was sent. */
async function sends(keys: DatabaseKeys, lookUpTurns = 0, attempt = '0.0'): Promise<boolean> {
  const found = await keys.oncePerKey.begin(keyed(), attempt);
  if (!found) return true;
  if (!('state' in found) || found.state !== 'unknown') return false;
  await turns(lookUpTurns);
  return (await found.resume()) === undefined;
}

describe('several executions with one new key', () => {
  test('only one of several executions in a process sends, and the others learn that it is under way', async () => {
    const states = await Promise.all(['1', '2', '3'].map(async (id) => await stateOf(open(id))));
    expect(states.sort()).toEqual(['underWay', 'underWay', undefined]);
  });

  test('only one of several executions in different processes sends', async () => {
    for (let late = 0; late < 12; late += 1) {
      bench.database = inOrder();
      bench.workflowId = `new ${late}`;
      const executions = [open('1'), open('2', { process: other }), open('3', { process: third })];
      const all = executions.map(async (keys, index) => {
        await turns(index * late);
        return await stateOf(keys);
      });
      expect((await Promise.all(all)).filter((state) => state === undefined)).toHaveLength(1);
    }
  });

  test.each([
    ['only one of two attempts with one key sends', keyed(), 'one'],
    ['two attempts with different keys may both send', keyed('other'), 'two'],
  ])('even if two processes overwrite each other: %s', async (_, second, name) => {
    let twice = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      bench.database = overlapping(seed);
      bench.workflowId = `${name} ${seed}`;
      const found = await Promise.all([stateOf(open('1')), stateOf(open('2', { process: other }), second)]);
      for (const state of found) expect([undefined, 'underWay', 'unknown', 'notSent']).toContain(state);
      if (found.every((state) => state === undefined)) twice += 1;
    }
    if (name === 'one') expect(twice).toBe(0);
    else expect(twice).toBeGreaterThan(100);
  });
});

describe("while n8n's database is slow", () => {
  const KEYS = ['a', 'b', 'c'];

  test.each([
    [2, 100],
    [3, 60],
  ])('only one of %i processes sends a key, once (%i workflows)', async (count, seeds) => {
    const longestMs = 1_000;
    const processes = [undefined, other, third].slice(0, count);
    const sent: string[] = [];
    const expected: string[] = [];
    for (let seed = 1; seed <= seeds; seed += 1) {
      bench.database = slow(seed, longestMs);
      bench.workflowId = `slow ${count} ${seed}`;
      const draw = random(seed + 77);
      const runs = [...processes, ...processes].map(async (process, index) => {
        await sleep(draw() * longestMs);
        const keys = open(`${index}`, process && { process });
        for (const name of KEYS) {
          if ((await stateOf(keys, keyed(name))) !== undefined) continue;
          sent.push(`${seed} ${name}`);
          await sleep(draw() * 50);
          keys.settle(keyed(name), 'done');
        }
        await keys.end();
      });
      await Promise.all(runs);
      expected.push(...KEYS.map((name) => `${seed} ${name}`));
    }
    expect(new Set(sent).size).toBe(sent.length);
    // If several processes overwrite each other, all of them may refuse.
    expect(sent.length).toBeGreaterThan(expected.length * 0.98);
  });

  test('a key whose payment another process has overwritten is in doubt, and the payment is not sent again', async () => {
    await settled(open('1'), 'done');
    bench.database.rows.set('row', []);
    for (const setting of [{}, { process: other }, { process: third }]) {
      const keys = open('2', setting);
      expect(await stateOf(keys)).toBe('invalid');
      await keys.end();
    }
  });

  test('a payment stays under way although a call of another process overwrites its keys', async () => {
    const keys = open('1');
    expect(await stateOf(keys)).toBeUndefined();
    bench.database.rows.set('row', []);
    expect(await stateOf(open('5'), keyed('another'))).toBeUndefined();
    expect(await stateOf(open('2', { process: other }))).toBe('underWay');
  });

  test('a second attempt stays the second one although a call of another process overwrites its keys', async () => {
    await settled(open('1'), 'unknown');
    const { code } = await unknownKey(open('2'));
    const keys = open('3');
    const one = resolving(code);
    expect(await resume(keys, one)).toBeUndefined();
    // The lock's keys are removed in the background.
    await sleep(2_000);
    bench.database.rows.set('row', []);
    expect(await stateOf(open('5'), keyed('another'))).toBeUndefined();
    keys.settle(one, 'unknown');
    await keys.end();
    const later = await unknownKey(open('4', { process: other }), one);
    expect([later.isApproved, later.code === code]).toEqual([false, false]);
  });

  test("a process whose call fails leaves another process's keys of the same payment", async () => {
    const second = open('2', { process: other });
    const failing = jest.spyOn(KeyRow.prototype, 'keep').mockImplementationOnce(async () => {
      bench.database.rows.set('row', []);
      await settled(second, 'unknown');
      throw new Error("n8n's database failed");
    });
    expect(await stateOf(open('1'))).toBe('notSent');
    failing.mockRestore();
    await turns(100);
    expect(await stateOf(open('3', { process: third }))).toBe('unknown');
  });

  test('a kill after a decline leaves the key unknown', async () => {
    const keys = open('1');
    expect(await stateOf(keys)).toBeUndefined();
    const remove = bench.database.remove.bind(bench.database);
    const killed = jest.spyOn(bench.database, 'remove').mockResolvedValue().mockImplementationOnce(remove);
    keys.settle(keyed(), 'refused');
    await keys.end();
    expect(bench.database.rows.get('row of node')?.filter((key) => key.startsWith('witness of key'))).toEqual([]);
    killed.mockRestore();
    jest.setSystemTime(Date.now() + 20 * 60_000);
    expect(await stateOf(open('2', { process: other }))).toBe('unknown');
  });

  test.each([
    ['unknown', 'unknown'],
    ['refused', undefined],
    ['done', 'done'],
  ] as const)('a key in doubt is %s after its process has recorded the outcome', async (outcome, state) => {
    const first = open('1');
    expect(await stateOf(first)).toBeUndefined();
    bench.database.rows.set('row', []);
    const second = open('2', { process: other });
    expect(await stateOf(second)).toBe('invalid');
    await second.end();
    first.settle(keyed(), outcome);
    await first.end();
    jest.setSystemTime(START + 10 * TIMEOUT_MS);
    const next = open('3', { process: third });
    expect(await stateOf(next)).toBe(state);
    if (state !== undefined) return;
    next.settle(keyed(), 'unknown');
    await next.end();
    expect(await stateOf(open('4'))).toBe('unknown');
  });

  test('a key that is free again has no trace in another row', async () => {
    await settled(open('1'), 'refused');
    expect(bench.database.rows.get('row of node')).toEqual([]);
    await settled(open('2', { process: other }), 'done');
    expect(bench.database.rows.get('row of node')).toHaveLength(1);
  });

  test('a key that is free again stays free although another process writes the row of the node back', async () => {
    const keys = open('1');
    expect(await stateOf(keys)).toBeUndefined();
    const { rows } = bench.database;
    const remove = bench.database.remove.bind(bench.database);
    const written = rows.get('row of node') ?? [];
    expect(written).not.toEqual([]);
    let times = 2;
    jest.spyOn(bench.database, 'remove').mockImplementation(async (gone, row) => {
      await remove(gone, row);
      if (row === 'row of node' && (times -= 1) >= 0) rows.set(row, written);
    });
    keys.settle(keyed(), 'refused');
    await keys.end();
    expect(times).toBeLessThan(0);
    expect(await stateOf(open('2', { process: other }))).toBeUndefined();
  });
});

test.each(['done', 'unknown'] as const)(
  'if two processes with different payments overwrite each other, only one payment has the key (%s)',
  async (outcome) => {
    const both = [keyed(), withBody({ amt_tran: 26 })];
    for (let seed = 1; seed <= 100; seed += 1) {
      jest.setSystemTime(START);
      bench.database = overlapping(seed);
      bench.workflowId = `payments ${outcome} ${seed}`;
      const runs = [open('1'), open('2', { process: other })];
      const found = await Promise.all(runs.map(async (keys, index) => await stateOf(keys, both[index])));
      const winner = found.indexOf(undefined);
      if (winner < 0) continue;
      runs[winner]?.settle(both[winner] ?? keyed(), outcome);
      await Promise.all(runs.map(async (keys) => await keys.end()));
      jest.setSystemTime(START + 10 * TIMEOUT_MS);
      expect([seed, await stateOf(open('3', { process: third }), both[1 - winner])]).toEqual([seed, 'invalid']);
    }
  },
);

test('a key that is done stays so after look-ups of processes that overwrite each other', async () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const draw = random(seed);
    bench.database = new ProcessedData(async () => await sleep(1 + draw() * 5));
    await bench.database.check(['older'], 'row', { mode: 'entries' });
    bench.workflowId = `looked up ${seed}`;
    await settled(open('1'), 'done');
    const executions = [undefined, other, third, undefined, other, third].map(async (process, index) => {
      await sleep(draw() * 600);
      return await stateOf(open(String(index), process && { process }));
    });
    await Promise.all(executions);
    await sleep(10 * TIMEOUT_MS);
    expect([seed, await stateOf(open('9', { process: third }))]).toEqual([seed, 'done']);
  }
});

describe('a preview in another process at the same moment', () => {
  const previewed = () => DatabaseKeys.open(previewOf(bench.contextOf('preview')), account, [keyed()], TIMEOUT_MS);

  test.each(['free', 'done', 'unknown'] as const)('does not change the state of a key that is %s', async (state) => {
    for (let late = 0; late < 24; late += 1)
      for (const isFirst of [true, false]) {
        bench.database = inOrder();
        bench.workflowId = `preview ${state} ${late} ${isFirst}`;
        if (state !== 'free') await settled(open('1'), state);
        const real = open('2', { process: other });
        const all = [() => previewed(), () => real].map(async (keys, index) => {
          await turns((index === 0) === isFirst ? 0 : late);
          return await stateOf(keys());
        });
        const expected = state === 'free' ? undefined : state;
        expect([late, isFirst, (await Promise.all(all))[1]]).toEqual([late, isFirst, expected]);
        if (expected !== undefined) continue;
        real.settle(keyed(), 'done');
        await real.end();
        for (const keys of [open('3'), previewed()]) expect(await stateOf(keys)).toBe('done');
      }
  });
});

test('rows of a preview that look up keys at the same moment do not affect each other', async () => {
  await settled(open('1'), 'done');
  for (let late = 0; late < 24; late += 1) {
    const rows = [keyed(), keyed(`new ${late}`)];
    const preview = DatabaseKeys.open(previewOf(bench.contextOf('2')), account, rows, TIMEOUT_MS);
    const states = rows.map(async (row, index) => {
      await turns(index * late);
      return await stateOf(preview, row);
    });
    expect([late, ...(await Promise.all(states))]).toEqual([late, 'done', undefined]);
  }
});

describe('several executions with a key whose outcome is unknown', () => {
  const processes: Array<[string, Setting, Setting]> = [
    ['one process', {}, {}],
    ['two processes', {}, { process: other }],
  ];

  test.each(processes)('only one of two attempts in %s is sent, whenever they begin', async (name, one, two) => {
    for (let late = 0; late < 24; late += 1)
      for (const lookUpTurns of [0, 1, 4, 9]) {
        bench.database = inOrder();
        bench.workflowId = `${name} ${late} ${lookUpTurns}`;
        await settled(open('1'), 'unknown');
        const begin = async (keys: DatabaseKeys, wait: number) => {
          await turns(wait);
          return await sends(keys, lookUpTurns);
        };
        const sent = await Promise.all([begin(open('2', one), 0), begin(open('3', two), late)]);
        expect(sent.filter(Boolean)).toHaveLength(1);
      }
  });

  test.each(processes)('only one of three approved attempts in %s is sent', async (name, one, two) => {
    bench.database = inOrder();
    bench.workflowId = `approved ${name}`;
    await settled(open('1'), 'unknown');
    const approved = resolving((await unknownKey(open('2'))).code);
    const executions = [open('3', one), open('4', two), open('5', two)];
    const all = executions.map(async (keys) => {
      const found = await keys.oncePerKey.begin(approved, '0.0');
      return found && 'state' in found && found.state === 'unknown' ? await found.resume() : found;
    });
    expect((await Promise.all(all)).filter((found) => found === undefined)).toHaveLength(1);
  });

  test('only one of two processes that overwrite each other sends', async () => {
    let twice = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      bench.database = overlapping(seed);
      bench.workflowId = `unknown ${seed}`;
      await settled(open('1'), 'unknown');
      const sent = await Promise.all([sends(open('2')), sends(open('3', { process: other }))]);
      if (sent.every(Boolean)) twice += 1;
    }
    expect(twice).toBe(0);
  });

  test('an attempt that another attempt preceded is under way, and learns the new state later', async () => {
    await settled(open('1'), 'unknown');
    const [first, second] = [await unknownKey(open('2')), await unknownKey(open('3'))];
    expect(await first.resume()).toBeUndefined();
    expect(await second.resume()).toEqual({ state: 'underWay' });
    expect(await stateOf(open('4'))).toBe('underWay');
  });

  test.each(['done', 'unknown', 'refused'] as const)(
    'an approval of an attempt that ended as %s in the meantime does not begin another attempt',
    async (outcome) => {
      await settled(open('1'), 'unknown');
      const late = await unknownKey(open('2'));
      const keys = open('3');
      await resume(keys);
      keys.settle(keyed(), outcome);
      await keys.end();
      expect(await late.resume()).toEqual({ state: outcome === 'done' ? 'done' : 'underWay' });
      expect(await stateOf(open('4'))).toBe(outcome === 'done' ? 'done' : 'unknown');
    },
  );
});

describe('a payment that ends while another execution looks up its key', () => {
  test.each([
    ['done', 'one', undefined],
    ['unknown', 'one', undefined],
    ['refused', 'one', undefined],
    ['done', 'two', other],
    ['unknown', 'two', other],
    ['refused', 'two', other],
  ] as const)('is no other payment (%s, in %s processes)', async (outcome, _, process) => {
    const states = new Set<string | undefined>();
    for (let calls = 1; calls <= 60; calls += 1) {
      bench.database = inOrder();
      bench.workflowId = `ends ${outcome} ${calls} ${process === undefined}`;
      const [first, second] = [open('1'), open('2', process && { process })];
      expect(await stateOf(first)).toBeUndefined();
      const until = bench.database.calls + calls;
      const state = stateOf(second);
      for (let left = 200; left > 0 && bench.database.calls < until; left -= 1) await turns(1);
      first.settle(keyed(), outcome);
      states.add(await state);
      await first.end();
    }
    expect([...states]).not.toContain('invalid');
  });
});

test('a key that becomes free during a look-up belongs to the payment that looked it up', async () => {
  const states = new Set<string | undefined>();
  for (let calls = 1; calls <= 60; calls += 1) {
    bench.database = inOrder();
    bench.workflowId = `free ${calls}`;
    const [first, second] = [open('1'), open('2')];
    await stateOf(first);
    const until = bench.database.calls + calls;
    const state = stateOf(second, withBody({ amt_tran: 26 }));
    for (let left = 200; left > 0 && bench.database.calls < until; left -= 1) await turns(1);
    first.settle(keyed(), 'refused');
    const found = await state;
    states.add(found);
    if (found === undefined) expect(await stateOf(open('3'))).toBe('invalid');
  }
  expect(states).toEqual(new Set([undefined, 'invalid']));
});

describe('an attempt in another process', () => {
  const elsewhere: Setting = { process: other };
  beforeEach(() => void (bench.database = inOrder()));
  const afterMs = (milliseconds: number) => jest.setSystemTime(START + milliseconds);

  test('is under way until its response must have arrived, also if the process was killed', async () => {
    expect(await stateOf(open('1'))).toBeUndefined();
    for (const milliseconds of [0, TIMEOUT_MS, TIMEOUT_MS + 59_000]) {
      afterMs(milliseconds);
      expect(await stateOf(open('2', elsewhere))).toBe('underWay');
    }
    afterMs(TIMEOUT_MS + 120_000);
    expect(await stateOf(open('3', elsewhere))).toBe('unknown');
    // The process itself knows that the attempt has no response yet.
    expect(await stateOf(open('4'))).toBe('underWay');
  });

  test.each(['done', 'refused', 'unknown'] as const)('is not under way after it was %s', async (outcome) => {
    await settled(open('1'), outcome);
    const states = { done: 'done', refused: undefined, unknown: 'unknown' };
    expect(await stateOf(open('2', elsewhere))).toBe(states[outcome]);
  });

  test('stays under way if the process extends its time before it sends', async () => {
    const keys = open('1');
    await stateOf(keys);
    afterMs(TIMEOUT_MS);
    expect(await keys.renew(keyed())).toBe(true);
    afterMs(2 * TIMEOUT_MS + 59_000);
    expect(await stateOf(open('2', elsewhere))).toBe('underWay');
    keys.settle(keyed(), 'unknown');
    await keys.end();
    expect(await stateOf(open('3', elsewhere))).toBe('unknown');
  });

  test('may still send after its time ended if no other process began another attempt', async () => {
    const keys = open('1');
    await stateOf(keys);
    afterMs(10 * TIMEOUT_MS);
    expect(await stateOf(open('2', elsewhere))).toBe('unknown');
    expect(await keys.renew(keyed())).toBe(true);
    expect(await stateOf(open('3', elsewhere))).toBe('underWay');
  });

  test.each<[string, (keys: DatabaseKeys) => Promise<void>]>([
    ['a first', async () => await Promise.resolve()],
    [
      'a second',
      async (keys) => {
        keys.settle(keyed(), 'unknown');
        await resume(keys);
      },
    ],
  ])('may not send %s attempt after its time ended if another process began another attempt', async (_, before) => {
    const keys = open('1');
    await stateOf(keys);
    await before(keys);
    afterMs(10 * TIMEOUT_MS);
    expect(await resume(open('2', elsewhere))).toBeUndefined();
    expect(await keys.renew(keyed())).toBe(false);
    keys.settle(keyed(), 'refused');
    await keys.end();
    expect(await stateOf(open('3', { process: third }))).toBe('underWay');
    afterMs(20 * TIMEOUT_MS);
    for (const process of [third, undefined]) expect(await stateOf(open('4', { process }))).toBe('unknown');
  });

  test('of one key does not affect another key', async () => {
    for (const key of ['deal', 'other']) await settled(open('1'), 'unknown', keyed(key));
    expect(await resume(open('2', elsewhere))).toBeUndefined();
    expect(await stateOf(open('3', { process: third }))).toBe('underWay');
    expect(await stateOf(open('3', { process: third }), keyed('other'))).toBe('unknown');
  });

  test.each([
    [29_999, 0],
    [30_000, 1],
  ])('extends its time in the database only after half a minute (%i ms)', async (milliseconds, calls) => {
    const keys = open('1');
    await stateOf(keys);
    const before = bench.database.calls;
    afterMs(milliseconds);
    expect(await keys.renew(keyed())).toBe(true);
    expect(Math.min(1, bench.database.calls - before)).toBe(calls);
  });

  test('prevents another attempt if its process extended its time after the other execution read the key', async () => {
    const keys = open('1');
    await stateOf(keys);
    afterMs(10 * TIMEOUT_MS);
    const again = await unknownKey(open('2', elsewhere));
    expect(await keys.renew(keyed())).toBe(true);
    expect(await again.resume()).toEqual({ state: 'underWay' });
  });

  test('keeps its extended time if another execution reads the key at the same moment', async () => {
    for (let late = 0; late < 16; late += 1) {
      jest.setSystemTime(START);
      bench.database = inOrder();
      bench.workflowId = `read ${late}`;
      const keys = open('1');
      await stateOf(keys);
      afterMs(10 * TIMEOUT_MS);
      const renewed = async () => {
        await turns(6);
        return await keys.renew(keyed());
      };
      const read = async () => {
        await turns(late);
        return await stateOf(open('2', elsewhere));
      };
      expect((await Promise.all([renewed(), read()]))[0]).toBe(true);
      expect(await stateOf(open('3', { process: third }))).toBe('underWay');
    }
  });

  test('keeps its extended time if another process overwrites keys at the same moment', async () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      jest.setSystemTime(START);
      const draw = random(seed);
      bench.database = new ProcessedData(async () => await sleep(1 + draw() * 10));
      await bench.database.check(['older'], 'row', { mode: 'entries' });
      bench.workflowId = `extended ${seed}`;
      const keys = open('1');
      await stateOf(keys);
      afterMs(10 * TIMEOUT_MS);
      const others = Array.from({ length: 20 }, async (_, index) => {
        await sleep(draw() * 400);
        await stateOf(open('2', elsewhere), keyed(`other ${index}`));
      });
      const [isRenewed] = await Promise.all([keys.renew(keyed()), ...others]);
      expect([seed, isRenewed, await stateOf(open('3', { process: third }))]).toEqual([seed, true, 'underWay']);
    }
  });

  test('that began another attempt finds out if the first process extends its time at the same moment', async () => {
    for (let late = 0; late < 16; late += 1) {
      jest.setSystemTime(START);
      bench.database = inOrder();
      bench.workflowId = `late ${late}`;
      const keys = open('1');
      await stateOf(keys);
      afterMs(10 * TIMEOUT_MS);
      const again = await unknownKey(open('2', elsewhere));
      const renewed = async () => {
        await turns(late);
        return await keys.renew(keyed());
      };
      const resumed = async () => {
        await turns(6);
        return (await again.resume()) === undefined;
      };
      expect((await Promise.all([renewed(), resumed()])).filter(Boolean).length).toBeLessThanOrEqual(1);
    }
  });

  test('does not hide a conflict', async () => {
    expect(await stateOf(open('1'))).toBeUndefined();
    expect(await stateOf(open('2', elsewhere), withBody({ amt_tran: 26 }))).toBe('invalid');
  });
});
