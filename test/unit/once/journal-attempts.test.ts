import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { KeyRow } from '../../../nodes/PaymentPlatform/n8n/key-row';
import { endRound } from '../../../nodes/PaymentPlatform/n8n/lineage';
import { ProcessedData } from '../../processed-data';
import { timeIsSimulated } from '../../simulated-time';
import { begin, five, inputOf, journalBench, request, retry, rows, type Execution } from './journal-bench';
import { failAt, inOrder, overlapping, random, slow, startProcess, TIMEOUT_MS, turns } from './keys-bench';

const bench = journalBench();
const { contextOf, keysOf, openIn, killed } = bench;
const other = startProcess();
const third = startProcess();
const START = new Date('2030-01-01T12:00:20Z').getTime();
const [first] = five as [PlannedRequest];
const afterMs = (milliseconds: number) => jest.setSystemTime(START + milliseconds);

timeIsSimulated();
beforeEach(() => {
  jest.setSystemTime(START);
  bench.database = inOrder();
});

/** Begins rows in an execution whose process is then killed. Rows in small letters are refused. */
async function killedWith(names: string, execution: Execution = {}, attempt = '0.0'): Promise<void> {
  const all = rows(names);
  const keys = keysOf(execution, all);
  await begin(keys, all, attempt);
  for (const [index, one] of all.entries()) keys.settle(one, /[a-z]/.test(names[index] ?? '') ? 'refused' : 'done');
  await keys.end();
}

/** Returns what a retry finds for each row after n8n lost the context, and the number of missing items. */
async function found(names: string, execution: Execution = {}) {
  const all = rows(names);
  const context = contextOf(retry(execution), inputOf(all));
  const keys = openIn(context, all);
  const states = await begin(keys, all);
  for (const one of all) keys.settle(one, 'refused');
  await keys.end();
  return { states, missing: roundOf(context)?.missing };
}

const roundOf = (context: IExecuteFunctions) =>
  (context.getContext('node') as { paymentPlatformRounds?: { missing?: number } }).paymentPlatformRounds;

test("a retry whose call fails leaves the keys of another process's retry", async () => {
  const all = rows('A');
  const [one = first] = all;
  await killedWith('a');
  const second = keysOf(retry({ id: '3', process: other }), all);
  const failing = jest.spyOn(KeyRow.prototype, 'keep').mockImplementationOnce(async () => {
    bench.database.rows.set(bench.workflowId, []);
    expect(await begin(second, all)).toEqual([undefined]);
    throw new Error("n8n's database failed");
  });
  await expect(keysOf(retry(), all).begin(one, '0.0')).rejects.toThrow('failed');
  failing.mockRestore();
  await turns(100);
  expect(await begin(keysOf(retry({ id: '4', process: third }), all), all)).toEqual(['underWay']);
});

test.each([2, 4, 6, 8, 10, 12, 14])(
  'a retry whose calls fail from call %i on for a while can be repeated',
  async (from) => {
    const all = rows('A');
    const [one = first] = all;
    await killedWith('a');
    const repair = failAt(bench.database, from);
    const failed = keysOf(retry(), all);
    const obstacle = await failed.begin(one, '0.0').catch((error: Error) => error.message);
    if (obstacle === undefined) failed.settle(one, 'refused');
    repair();
    await failed.end();
    afterMs(20 * 60_000);
    expect(await begin(keysOf(retry({ id: '4', process: third }), all), all)).toEqual([undefined]);
  },
);

test.each<['refused' | 'unknown', string]>([
  ['refused', 'underWay'],
  ['unknown', 'done'],
])('an attempt that ends while a retry reads its keys is %s', async (outcome, state) => {
  const all = rows('A');
  const [one = first] = all;
  const keys = keysOf({ process: other }, all);
  await begin(keys, all);
  if (outcome === 'unknown') keys.settle(one, outcome);
  const { database } = bench;
  const check = database.check.bind(database);
  let hasRead = false;
  database.check = async (asked, ...more) => {
    if (hasRead) {
      database.check = check;
      // A look-up finds the record of the unknown attempt.
      if (outcome === 'unknown') keys.recordApplied(one);
      else keys.settle(one, outcome);
      await keys.end();
    }
    hasRead = asked.some((key) => key.startsWith('done '));
    return await check(asked, ...more);
  };
  expect(await begin(keysOf(retry(), all), all)).toEqual([state]);
});

describe('rows that changed after a kill', () => {
  test.each<[string, string, string, number, Array<string | undefined>]>([
    ['stay', 'AB', 'AB', 0, ['done', 'done']],
    ['are followed by a new row', 'AB', 'ABX', 0, ['done', 'done', undefined]],
    ['move behind a new row', 'AB', 'XAB', 0, ['otherContent', 'done', 'done']],
    ['change places', 'AB', 'BA', 0, ['done', 'done']],
    ['were never begun', 'Ab', 'AB', 0, ['done', undefined]],
    ['are removed', 'AB', 'B', 1, ['done']],
    ['are edited', 'AB', 'AX', 1, ['done', 'otherContent']],
    ['are edited and move', 'AB', 'CAX', 1, ['otherContent', 'done', 'otherContent']],
    ['are removed while others are new', 'AB', 'AXY', 1, ['done', 'otherContent', 'otherContent']],
    ['are equal', 'AAB', 'AAX', 1, ['done', 'done', 'otherContent']],
    ['are fewer, and one is edited', 'ABcdeF', 'FAX', 1, ['done', 'done', 'otherContent']],
    ['are fewer, and one was never begun', 'AbC', 'Ab', 1, ['done', 'otherContent']],
  ])('%s: %s becomes %s', async (_, before, after, missing, states) => {
    await killedWith(before);
    expect(await found(after)).toEqual({ states, missing });
  });

  test('are counted after a gap of many rows that were never begun', async () => {
    const all = Array.from({ length: 201 }, (_, item) => ({ ...rows('A')[0], items: [item] })) as PlannedRequest[];
    const keys = keysOf({}, all, inputOf(all));
    for (const item of [0, 100, 200]) await keys.begin(all[item] ?? first, '0.0');
    await keys.end();
    expect((await found('A')).missing).toBe(2);
  });

  test('of later iterations do not count in a loop', async () => {
    await killedWith('ABC', { isInLoop: true });
    const shared = contextOf(retry({ isInLoop: true }));
    const seen = [];
    for (const [runIndex, names] of ['A', 'XB', 'C'].entries()) {
      const all = rows(names);
      const own = { evaluateExpression: () => runIndex, getInputData: () => inputOf(all) };
      const context = { ...shared, ...own } as typeof shared;
      seen.push([await begin(openIn(context, all), all), roundOf(context)?.missing]);
      endRound(context);
    }
    expect(seen).toEqual([
      [['done'], 0],
      [['otherContent', 'done'], 1],
      [['done'], 0],
    ]);
  });

  test.each<[string, string, Array<string | undefined>]>([
    ['unchanged', 'AB', ['done', 'done']],
    ['edited', 'AX', ['done', 'otherValues']],
    ['edited where no attempt began', 'ABX', ['done', 'done', undefined]],
  ])('are %s after an earlier retry had found all of them', async (_, after, states) => {
    await killedWith('AB');
    const before = rows('AB');
    const context = contextOf(retry(), inputOf(before));
    const earlier = openIn(context, before);
    await begin(earlier, before.slice(0, 1));
    await earlier.end();
    const all = rows(after);
    const again = { ...context, getInputData: () => inputOf(all) };
    expect(await begin(openIn(again, all), all)).toEqual(states);
  });

  test('are compared once per run, and never if n8n kept the context', async () => {
    await killedWith('AB');
    const all = rows('X');
    const context = contextOf({}, inputOf(all));
    await openIn(context, all).recordAccount(all);
    expect(await begin(openIn(Object.assign(context, { getMode: () => 'retry' }), all), all)).toEqual(['otherContent']);
    expect(roundOf(context)?.missing).toBeUndefined();
  });
});

describe('a row that a retry sends although another row began at its position', () => {
  const sendElsewhere = async (outcome: 'done' | 'unknown' | 'refused', isInLoop = false) => {
    await killedWith('AB');
    const all = rows('AXB');
    const keys = keysOf(retry({ isInLoop }), all);
    expect(await begin(keys, all)).toEqual(['done', 'otherContent', 'done']);
    expect(await keys.begin(all[1] ?? first, '0.0 elsewhere')).toBeUndefined();
    keys.settle(all[1] ?? first, outcome);
    await keys.end();
  };

  test.each([
    ['done', 'done'],
    ['unknown', 'begun'],
    ['refused', undefined],
  ] as const)('is known by its content at any position if it was %s', async (outcome, state) => {
    await sendElsewhere(outcome);
    expect((await found('ABYX')).states).toEqual(['done', 'done', undefined, state]);
    expect((await found('XAB')).states).toEqual([state ?? 'otherContent', 'done', 'done']);
  });

  test.each(['done', 'unknown'] as const)('is missing if it is edited after it was %s', async (outcome) => {
    await sendElsewhere(outcome);
    const all = rows('AYB');
    const keys = keysOf(retry({ id: '3' }), all);
    expect(await keys.begin(all[1] ?? first, '0.0 elsewhere')).toBe('otherContent');
    expect((await found('AYB')).missing).toBe(1);
  });

  test('is under way while another retry sends it', async () => {
    await killedWith('AB');
    const all = rows('AXB');
    const keys = keysOf(retry(), all);
    await begin(keys, all);
    await keys.begin(all[1] ?? first, '0.0 elsewhere');
    expect((await found('ABYX')).states).toEqual(['done', 'done', undefined, 'underWay']);
    expect(await keysOf(retry({ id: '3' }), all).begin(all[1] ?? first, '0.0 elsewhere')).toBe('underWay');
  });

  test.each([
    ['ABX', 0],
    ['XABC', 0],
    ['AXC', 1],
    ['XAC', 1],
    ['X', 2],
  ])('counts as one of the begun rows: %s', async (names, missing) => {
    await sendElsewhere('done');
    expect((await found(names)).missing).toBe(missing);
  });
});

test('a retry finds each attempt that began, with any approval', async () => {
  await killed();
  const fourth = five[3] ?? first;
  for (const id of ['2', '3', '4']) {
    const keys = keysOf(retry({ id }));
    let attempt = 0;
    while ((await keys.begin(fourth, `${attempt}.0`)) === 'begun') attempt += 1;
    expect(attempt).toBe(Number(id) - 1);
    keys.settle(fourth, 'unknown');
    await keys.end();
  }
});

test('an attempt of another retry is under way, and stays done or free when it ended', async () => {
  await killed();
  const fourth = five[3] ?? first;
  const keys = keysOf(retry());
  expect(await keys.begin(fourth, '1.0')).toBeUndefined();
  expect(await keysOf(retry({ id: '3' })).begin(fourth, '1.0')).toBe('underWay');
  keys.settle(fourth, 'refused');
  const again = keysOf(retry({ id: '4' }));
  expect(await again.begin(fourth, '1.0')).toBeUndefined();
  again.settle(fourth, 'done');
  await again.end();
  expect(await keysOf(retry({ id: '5' })).begin(fourth, '1.0')).toBe('done');
});

/** Random key of an attempt. */
const OWN_KEY = /^[0-9a-f-]{36}$/;

describe('several processes that retry an execution', () => {
  const states = async (attempt: string, processes: Execution[], late = 0) =>
    await Promise.all(
      processes.map(async (execution, index) => {
        const keys = keysOf(retry({ id: String(index + 2), ...execution }));
        await turns(index * late);
        return await keys.begin(five[3] ?? first, attempt);
      }),
    );

  test.each(['0.0', '1.0'])(
    'only one of them begins attempt %s, and none reports it as done before',
    async (attempt) => {
      let begun = 0;
      for (let late = 0; late < 8; late += 1) {
        bench.database = inOrder();
        bench.workflowId = `retries ${attempt} ${late}`;
        if (attempt === '1.0') await killed();
        const all = await states(attempt, [{}, { process: other }, { process: third }], late);
        expect(all.filter((state) => state === undefined).length).toBeLessThanOrEqual(1);
        expect(all).not.toContain('done');
        begun += all.includes(undefined) ? 1 : 0;
      }
      // Three look-ups at the same moment can make all of them refuse.
      expect(begun).toBeGreaterThanOrEqual(7);
    },
  );

  test('only one of two begins an attempt even if they overwrite each other', async () => {
    let twice = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      bench.database = overlapping(seed);
      bench.workflowId = `overlapping ${seed}`;
      bench.database.rows.set(bench.workflowId, []);
      const all = await Promise.allSettled(
        [{}, { process: other }].map(async (one) => await keysOf(retry(one)).begin(first, '0.0')),
      );
      if (all.every((one) => one.status === 'fulfilled' && one.value === undefined)) twice += 1;
    }
    expect(twice).toBe(0);
  });

  test.each([300, 1_000])('only one of two begins an attempt if calls of the database take up to %i ms', async (ms) => {
    let [once, twice] = [0, 0];
    for (let seed = 1; seed <= 400; seed += 1) {
      const draw = random(seed + 77);
      bench.database = slow(seed, ms);
      bench.workflowId = `slow ${ms} ${seed}`;
      bench.database.rows.set(bench.workflowId, []);
      const all = await Promise.allSettled(
        [{}, { process: other }].map(async (one) => {
          await sleep(draw() * ms);
          return await keysOf(retry(one)).begin(first, '0.0');
        }),
      );
      const begun = all.filter((one) => one.status === 'fulfilled' && one.value === undefined).length;
      once += begun === 1 ? 1 : 0;
      twice += begun === 2 ? 1 : 0;
    }
    expect(twice).toBe(0);
    // If several processes look up keys at the same moment, all of them may refuse.
    expect(once).toBeGreaterThan(250);
  });

  test('only one of two retries for which n8n 1 lost the context begins an attempt', async () => {
    const lost = (id: string, more: Execution = {}) =>
      keysOf({ ...retry({ major: 1, established: 9000 + Number(id), source: 'retry', ...more }), id });
    let twice = 0;
    for (let seed = 1; seed <= 100; seed += 1) {
      bench.database = overlapping(seed);
      bench.workflowId = `lost ${seed}`;
      bench.database.rows.set(bench.workflowId, []);
      const retries = [lost('2'), lost('3', { process: other })];
      const all = await Promise.allSettled(retries.map(async (one) => await one.begin(first, '0.0')));
      if (all.every((one) => one.status === 'fulfilled' && one.value === undefined)) twice += 1;
    }
    expect(twice).toBe(0);
  });

  test('only one of two runs begins an attempt if n8n 1 runs the execution of a frozen worker again', async () => {
    const run = (established: number, more: Execution = {}) => keysOf({ id: '7', major: 1, established, ...more });
    let twice = 0;
    for (let seed = 1; seed <= 100; seed += 1) {
      bench.database = overlapping(seed);
      bench.workflowId = `frozen ${seed}`;
      bench.database.rows.set(bench.workflowId, []);
      const runs = [run(1000), run(2000, { process: other })];
      const all = await Promise.allSettled(runs.map(async (one) => await one.begin(first, '0.0')));
      if (all.every((one) => one.status === 'fulfilled' && one.value === undefined)) twice += 1;
    }
    expect(twice).toBe(0);
  });

  test('an attempt whose own key another process overwrote belongs to the other process', async () => {
    const keys = keysOf(retry());
    const check = bench.database.check.bind(bench.database);
    bench.database.check = async (wanted, row, ...more) => {
      const kept = bench.database.rows.get(row)?.filter((key) => !OWN_KEY.test(key));
      if (kept) bench.database.rows.set(row, kept);
      return await check(wanted, row, ...more);
    };
    expect(await keys.begin(first, '0.0')).toBe('underWay');
    await keys.end();
    bench.database.check = check;
    expect(await keysOf(retry({ id: '3', process: other })).begin(first, '0.0')).toBe('underWay');
  });

  test('an attempt that others overwrite each time is not sent', async () => {
    const keys = keysOf(retry());
    const check = bench.database.check.bind(bench.database);
    bench.database.check = async (...given) => {
      bench.database.rows.set(bench.workflowId, []);
      return await check(...given);
    };
    await expect(keys.begin(first, '0.0')).rejects.toThrow('overwrite');
    await keys.end();
    expect(bench.database.rows.get(bench.workflowId)?.some((key) => /^[\w-]{22}$/.test(key))).toBe(false);
  });
});

describe('a write that a process sends late', () => {
  const elsewhere: Execution = { process: other };

  test('stays under way if the process extends its time', async () => {
    const keys = keysOf();
    await keys.begin(first, '0.0');
    afterMs(TIMEOUT_MS);
    expect(await keys.renew(first)).toBe(true);
    afterMs(2 * TIMEOUT_MS + 59_000);
    expect(await keysOf(retry(elsewhere)).begin(first, '0.0')).toBe('underWay');
    keys.settle(first, 'unknown');
    await keys.end();
    expect(await keysOf(retry({ id: '3', ...elsewhere })).begin(first, '0.0')).toBe('begun');
  });

  test('is under way or done, but not unknown, if it ends while another process asks for it', async () => {
    const states = new Set<string | undefined>();
    for (let late = 0; late < 120; late += 4) {
      bench.database = inOrder();
      bench.workflowId = `ending ${late}`;
      const keys = keysOf();
      await keys.begin(first, '0.0');
      const ends = async () => {
        await turns(late);
        keys.settle(first, 'done');
        await keys.end();
      };
      const [state] = await Promise.all([keysOf(retry(elsewhere)).begin(first, '0.0'), ends()]);
      states.add(state);
    }
    expect([...states].sort()).toEqual(['done', 'underWay']);
  });

  test('stays under way if several other processes ask for it', async () => {
    await keysOf().begin(first, '0.0');
    for (const process of [other, third]) {
      const keys = keysOf(retry({ process }));
      expect(await keys.begin(first, '0.0')).toBe('underWay');
      await keys.end();
    }
    expect(await keysOf(retry({ process: third })).begin(first, '0.0')).toBe('underWay');
  });

  test.each([
    [29_999, 0],
    [30_000, 1],
  ])('needs a call to the database only after half a minute (%i ms)', async (milliseconds, calls) => {
    const keys = keysOf();
    await keys.begin(first, '0.0');
    const before = bench.database.calls;
    afterMs(milliseconds);
    expect(await keys.renew(first)).toBe(true);
    expect(Math.min(1, bench.database.calls - before)).toBe(calls);
  });

  test('is sent if no other process began another attempt after its time ended', async () => {
    const keys = keysOf();
    await keys.begin(first, '0.0');
    afterMs(10 * TIMEOUT_MS);
    expect(await keysOf(retry(elsewhere)).begin(first, '0.0')).toBe('begun');
    expect(await keys.renew(first)).toBe(true);
    expect(await keysOf(retry({ id: '3', ...elsewhere })).begin(first, '0.0')).toBe('underWay');
  });

  test.each(['done', 'unknown', undefined] as const)(
    'is not sent if another process began another attempt that is %s',
    async (outcome) => {
      const keys = keysOf();
      await keys.begin(first, '0.0');
      afterMs(10 * TIMEOUT_MS);
      const second = keysOf(retry(elsewhere));
      expect(await second.begin(first, '1.0')).toBeUndefined();
      if (outcome) second.settle(first, outcome);
      await second.end();
      expect(await keys.renew(first)).toBe(false);
      keys.settle(first, 'refused');
      await keys.end();
      const states = { done: 'done', unknown: 'begun', none: 'underWay' };
      expect(await keysOf(retry({ id: '3', process: third })).begin(first, '1.0')).toBe(states[outcome ?? 'none']);
    },
  );

  test('leaves the keys to another process that began another attempt, if the run ends before the write is sent', async () => {
    const late = keysOf(retry());
    expect(await late.begin(first, '0.0')).toBeUndefined();
    afterMs(10 * TIMEOUT_MS);
    const second = keysOf(retry({ id: '3', process: other }));
    expect(await second.begin(first, '0.0')).toBe('begun');
    expect(await second.begin(first, '1.0')).toBeUndefined();
    second.settle(first, 'unknown');
    await second.end();
    late.settle(first, 'refused');
    await late.end();
    await sleep(10 * TIMEOUT_MS);
    expect(await keysOf(retry({ id: '4', process: third })).begin(first, '0.0')).toBe('begun');
  });

  test('delays the next attempt until its own time has ended, also if it extended the time', async () => {
    const sending = keysOf(retry(elsewhere));
    expect(await sending.begin(first, '0.0')).toBeUndefined();
    const next = async (id: string) => await keysOf(retry({ id, process: third })).begin(first, '1.0');
    expect(await next('3')).toBe('underWay');
    afterMs(TIMEOUT_MS);
    expect(await sending.renew(first)).toBe(true);
    afterMs(TIMEOUT_MS + 120_000);
    expect(await next('4')).toBe('underWay');
    afterMs(2 * TIMEOUT_MS + 180_000);
    expect(await next('5')).toBeUndefined();
  });

  test('is not sent if others overwrite its keys each time', async () => {
    const keys = keysOf();
    await keys.begin(first, '0.0');
    afterMs(TIMEOUT_MS);
    const check = bench.database.check.bind(bench.database);
    bench.database.check = async (...given) => {
      bench.database.rows.set(bench.workflowId, []);
      return await check(...given);
    };
    await expect(keys.renew(first)).rejects.toThrow('overwrite');
  });

  test('is sent if the service refused the attempt of the other process', async () => {
    const keys = keysOf();
    await keys.begin(first, '0.0');
    afterMs(10 * TIMEOUT_MS);
    const second = keysOf(retry(elsewhere));
    await second.begin(first, '1.0');
    second.settle(first, 'refused');
    await second.end();
    expect(await keys.renew(first)).toBe(true);
  });

  test('and another attempt of another process are never both sent', async () => {
    for (let late = 0; late < 16; late += 1) {
      jest.setSystemTime(START);
      bench.database = inOrder();
      bench.workflowId = `late ${late}`;
      const keys = keysOf();
      await keys.begin(first, '0.0');
      afterMs(10 * TIMEOUT_MS);
      const second = keysOf(retry(elsewhere));
      expect(await second.begin(first, '0.0')).toBe('begun');
      const renewed = async () => {
        await turns(late);
        return await keys.renew(first);
      };
      const begun = async () => {
        await turns(6);
        return (await second.begin(first, '1.0')) === undefined;
      };
      expect((await Promise.all([renewed(), begun()])).filter(Boolean).length).toBeLessThanOrEqual(1);
    }
  });

  test('and another attempt are never both sent by processes that overwrite each other', async () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const draw = random(seed);
      jest.setSystemTime(START);
      bench.database = new ProcessedData(async () => await sleep(1 + draw() * (draw() < 0.2 ? 45 : 10)));
      bench.workflowId = `overwriting ${seed}`;
      const keys = keysOf();
      await keys.begin(first, '0.0');
      jest.setSystemTime(Date.now() + 10 * TIMEOUT_MS);
      const second = keysOf(retry(elsewhere));
      expect(await second.begin(first, '0.0')).toBe('begun');
      const renewed = async () => {
        await sleep(draw() * 60);
        return await keys.renew(first).catch(() => false);
      };
      const begun = async () => {
        await sleep(draw() * 60);
        return (await second.begin(first, '1.0')) === undefined;
      };
      const sent = (await Promise.all([renewed(), begun()])).filter(Boolean).length;
      expect({ seed, sent }).not.toEqual({ seed, sent: 2 });
    }
  });

  test('is not sent if the database fails, and its keys stay', async () => {
    const keys = keysOf();
    await keys.begin(first, '0.0');
    afterMs(TIMEOUT_MS);
    bench.database.failing = new Error('Connection terminated');
    await expect(keys.renew(first)).rejects.toThrow('Connection terminated');
    delete bench.database.failing;
    keys.settle(first, 'refused');
    await keys.end();
    afterMs(10 * TIMEOUT_MS);
    expect(await keysOf(retry(elsewhere)).begin(first, '0.0')).toBe('begun');
  });
});

describe('an execution whose process stands still while a retry runs', () => {
  test.each(['done', 'unknown', 'refused', undefined] as const)(
    'does not send a row again that the retry sent (%s)',
    async (outcome) => {
      const frozen = keysOf();
      await frozen.recordAccount([first]);
      const keys = keysOf(retry({ process: other }));
      expect(await keys.begin(first, '0.0')).toBeUndefined();
      if (outcome) keys.settle(first, outcome);
      await keys.end();
      const states = { done: 'done', unknown: 'begun', refused: undefined, none: 'underWay' };
      expect(await frozen.begin(first, '0.0')).toBe(states[outcome ?? 'none']);
    },
  );

  test('in n8n 1, does not send a row again that the retry sent', async () => {
    const frozen = keysOf({ major: 1 });
    const keys = keysOf(retry({ major: 1, process: other }));
    await keys.begin(first, '0.0');
    keys.settle(first, 'done');
    await keys.end();
    expect(await frozen.begin(first, '0.0')).toBe('done');
  });

  test('sends rows that no retry began, without asking for a retry', async () => {
    const frozen = keysOf();
    const keys = keysOf(retry({ process: other }));
    await keys.begin(first, '0.0');
    const { calls } = bench.database;
    expect(await frozen.begin(five[1] ?? first, '0.0')).toBeUndefined();
    expect(bench.database.calls).toBe(calls + 1);
  });

  test('another execution that began in the same millisecond sends its own rows if there is no retry', async () => {
    await killed();
    await begin(keysOf(retry({ id: '9', established: 9000 })));
    expect(await begin(keysOf({ id: '2' }))).toEqual(five.map(() => undefined));
  });

  test('sends a row at whose position the retry sent another row', async () => {
    const frozen = keysOf();
    const edited = [request(0, { amt_tran: 100 })];
    const keys = keysOf(retry({ process: other }), edited);
    expect(await begin(keys, edited)).toEqual([undefined]);
    for (const one of edited) keys.settle(one, 'done');
    await keys.end();
    expect(await frozen.begin(first, '0.0')).toBeUndefined();
  });

  test('a tool counts its equal calls itself', async () => {
    const tool: Execution = { type: 'paymentPlatformTool' };
    const keys = keysOf(retry({ ...tool, process: other }), [first]);
    await keys.begin(first, '0.0');
    keys.settle(first, 'done');
    await keys.end();
    expect(await keysOf(tool, [first]).begin(first, '0.0')).toBeUndefined();
  });
});

describe("the node's own references", () => {
  const referred = (body: IDataObject = { amt_tran: 1 }): PlannedRequest => {
    const one = request(0, body);
    return { ...one, operation: { ...one.operation, reference: { name: 'merch_ref_num' } } } as PlannedRequest;
  };

  test('are given only to requests that have a field for one and lack a reference', async () => {
    const [lacking, own, none] = [referred(), referred({ merch_ref_num: 'MINE' }), request(2)];
    await keysOf().giveReferences([lacking, own, none]);
    expect(lacking.values.reference).toMatchObject({ name: 'merch_ref_num', isLasting: true });
    expect(lacking.values.body.merch_ref_num).toBe(lacking.values.reference?.value);
    for (const { values } of [own, none]) expect(values).not.toHaveProperty('reference');
    expect(own.values.body).toEqual({ merch_ref_num: 'MINE' });
  });

  test("if n8n's database can't record that they need a seed, no write with one begins", async () => {
    await keysOf({ id: '1', established: 7000 }).giveReferences([referred()]);
    const requests = [referred()];
    const keys = keysOf({ id: '2', established: 7000 }, requests);
    bench.database.failing = new Error('locked');
    await keys.giveReferences(requests);
    bench.database.failing = undefined;
    await expect(begin(keys, requests)).rejects.toThrow('locked');
    expect(bench.database.rows.get(bench.workflowId)).toBeUndefined();
  });

  test("need n8n's database only in a retry of a saved workflow", async () => {
    const calls = async (execution: Execution, requests: PlannedRequest[]) => {
      const before = bench.database.calls;
      await keysOf(execution, requests).giveReferences(requests);
      return bench.database.calls - before;
    };
    expect(await calls(retry(), [referred()])).toBeGreaterThan(0);
    expect(await calls(retry(), [request(1)])).toBe(0);
    expect(await calls(retry({ workflowId: '' }), [referred()])).toBe(0);
  });
});
