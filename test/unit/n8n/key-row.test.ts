import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import {
  busyKey,
  KeyRow,
  MOST_KEYS,
  RENEWED_AFTER_KEYS,
  unproven,
  untilMs,
  witnessOf,
  type KeyStore,
} from '../../../nodes/PaymentPlatform/n8n/key-row';
import { ProcessedData } from '../../processed-data';
import { timeIsSimulated } from '../../simulated-time';
import { random } from '../once/keys-bench';

function table() {
  const kept = new Set<string>();
  const calls: string[] = [];
  const whileRecording: Array<() => void> = [];
  const failures: Error[] = [];
  /** Number of entries that the row may contain in each call, beyond the maximum. */
  const most: number[] = [];
  const access = async (what: string, keys: unknown[], scope: string) => {
    calls.push([what, scope, ...keys].join(' '));
    await new Promise((resolve) => setImmediate(resolve));
    const failure = failures.shift();
    if (failure) throw failure;
  };
  const store = {
    checkProcessedAndRecord: async (keys: string[], scope: string, { mode, maxEntries }: Record<string, unknown>) => {
      most.push(Number(maxEntries) - MOST_KEYS);
      expect(mode).toBe('entries');
      await access('record', keys, scope);
      whileRecording.shift()?.();
      const added = keys.filter((key) => !kept.has(key));
      for (const key of added) kept.add(key);
      return { new: added, processed: keys.filter((key) => !added.includes(key)) };
    },
    removeProcessed: async (keys: string[], scope: string) => {
      await access('remove', keys, scope);
      for (const key of keys) kept.delete(key);
    },
  } as unknown as KeyStore;
  return { store, kept, calls, whileRecording, failures, most, row: new KeyRow() };
}

const missing = async (recorded: Promise<Set<string>>) => [...(await recorded)];

test('all callers in a process use one row for a node and one for a workflow', () => {
  const contextOf = (workflow: string, node: string) =>
    ({ getWorkflow: () => ({ id: workflow }), getNode: () => ({ id: node }) }) as unknown as IExecuteFunctions;
  const rows = ['w1 a', 'w1 b', 'w2 a'].map((name) => contextOf(...(name.split(' ') as [string, string])));
  expect(new Set(rows.map((context) => KeyRow.ofNode(context))).size).toBe(3);
  expect(new Set(rows.map((context) => KeyRow.ofWorkflow(context))).size).toBe(2);
  expect(KeyRow.ofNode(contextOf('w1', 'a'))).toBe(KeyRow.ofNode(contextOf('w1', 'a')));
});

test('each call removes at most 500 keys, and a flush waits for the last call', async () => {
  const { row, store, kept, calls } = table();
  const keys = Array.from({ length: 1_200 }, (_, index) => `key ${index}`);
  await row.record(store, keys);
  row.remove(store, keys);
  await row.flush(store);
  expect([...kept]).toEqual([]);
  const removals = calls.filter((call) => call.startsWith('remove'));
  expect(removals.map((call) => call.match(/key \d+/g)?.length)).toEqual([500, 500, 200]);
});

test("a look-up's keys and keys that will be removed don't make n8n remove other keys", async () => {
  const { row, store, most } = table();
  await row.record(store, ['a', 'b']);
  await row.find(store, ['c', 'd', 'e']);
  row.remove(store, ['a']);
  await row.record(store, ['f']);
  await row.flush(store);
  await row.record(store, ['g']);
  // A look-up records two keys for each key.
  expect(most).toEqual([0, 6, 1, 0]);
});

test.each([
  [MOST_KEYS / 10 - 1, true],
  [MOST_KEYS / 10, false],
])('a row with %i keys has space: %s', async (count, hasSpace) => {
  const store = { getProcessedDataCount: async () => await Promise.resolve(count) } as unknown as KeyStore;
  expect(await new KeyRow().hasSpace(store)).toBe(hasSpace);
});

describe('the order of calls', () => {
  test('waiting writes run before removals', async () => {
    const { row, store, calls, whileRecording } = table();
    let later: Promise<unknown> | undefined;
    whileRecording.push(() => {
      row.remove(store, ['x']);
      later = row.record(store, ['b']);
    });
    await row.record(store, ['a']);
    await later;
    await row.flush(store);
    expect(calls).toEqual(['record node a', 'record node b', 'remove node x']);
  });

  test.each([
    [49, ['record', 'record', 'remove']],
    [50, ['record', 'remove', 'record']],
  ])('%i waiting removals are processed: %j', async (count, expected) => {
    const { row, store, calls, whileRecording } = table();
    let later: Promise<unknown> | undefined;
    whileRecording.push(() => {
      const keys = Array.from({ length: count }, (_, index) => `x${index}`);
      row.remove(store, keys);
      later = row.record(store, ['b']);
    });
    await row.record(store, ['a']);
    await later;
    await row.flush(store);
    expect(calls.map((call) => call.split(' ')[0])).toEqual(expected);
  });

  test('a run that waits for its removals is served before later writes', async () => {
    const { row, store, calls, whileRecording } = table();
    let later: Promise<unknown[]> | undefined;
    whileRecording.push(() => {
      row.remove(store, ['x']);
      later = Promise.all([row.flush(store), row.record(store, ['b'])]);
    });
    await row.record(store, ['a']);
    await later;
    expect(calls).toEqual(['record node a', 'remove node x', 'record node b']);
  });

  test('a key is removed before it is recorded again', async () => {
    const { row, store, calls, whileRecording } = table();
    let later: Promise<string[]> | undefined;
    whileRecording.push(() => {
      row.remove(store, ['a']);
      later = missing(row.record(store, ['a', 'b']));
    });
    await row.record(store, ['a']);
    expect(await later).toEqual(['a', 'b']);
    expect(calls).toEqual(['record node a', 'remove node a', 'record node a b']);
  });

  test('one of two simultaneous callers gets a key', async () => {
    const { row, store, calls } = table();
    const found = [row.record(store, ['a', 'b']), row.record(store, ['b', 'c']), row.record(store, ['d'])];
    expect(await Promise.all(found.map(missing))).toEqual([['a', 'b'], ['c'], ['d']]);
    expect(calls).toEqual(['record node a b', 'record node b c d']);
  });

  test.each([
    [250, ['500']],
    [251, ['500', '2']],
    [600, ['500', '500', '200']],
  ])('%i keys are looked up in calls of at most 500 keys, with a second key for each', async (count, sizes) => {
    const { row, store, kept, calls } = table();
    const keys = Array.from({ length: count }, (_, index) => `x${index}`);
    const known = keys.filter((_, index) => index % 499 === 0);
    for (const key of known) kept.add(key);
    expect([...(await row.find(store, keys))]).toEqual(known);
    await row.flush(store);
    expect([...kept]).toEqual(known);
    const recorded = calls.filter((call) => call.startsWith('record'));
    expect(recorded.map((call) => String(call.replaceAll('unproven ', '').split(' ').length - 2))).toEqual(sizes);
  });

  test.each([
    [250, ['500']],
    [251, ['251', '251']],
    [501, ['501', '501']],
  ])('waiting calls with %i keys each are combined to calls of at most 500 keys', async (count, sizes) => {
    const { row, store, calls } = table();
    const keys = (name: string) => Array.from({ length: count }, (_, index) => `${name}${index}`);
    const added = await Promise.all(['x', 'y'].map(async (name) => await row.record(store, keys(name))));
    expect(added.map(({ size }) => size)).toEqual([count, count]);
    expect(calls.map((call) => String(call.split(' ').length - 2))).toEqual(sizes);
  });

  test('looking for many keys at once in a full row removes no more than 500 old keys', async () => {
    const data = new ProcessedData();
    const old = Array.from({ length: MOST_KEYS }, (_, index) => `old ${index}`);
    data.rows.set('row', old);
    const row = new KeyRow();
    const some = (from: number) => Array.from({ length: 15 }, (_, index) => `x${from} ${index}`);
    const store = data.helpers('row');
    await Promise.all(Array.from({ length: 1000 }, async (_, from) => await row.find(store, some(from))));
    await row.flush(store);
    expect(data.rows.get('row')?.length).toBeGreaterThanOrEqual(MOST_KEYS - 500);
    expect(old.slice(500).every((key) => data.rows.get('row')?.includes(key))).toBe(true);
  });

  test('keys to undo are removed before another caller can find them', async () => {
    const { row, store, kept } = table();
    const first = row.record(store, ['mark', 'a'], (added) => [...added].filter((key) => key === 'mark'));
    const second = row.record(store, ['mark']);
    expect(await Promise.all([first, second].map(missing))).toEqual([['mark', 'a'], ['mark']]);
    await row.flush(store);
    expect([...kept]).toEqual(['a', 'mark']);
  });
});

test('a pinned key is recorded again with every call until a read after the write ended', async () => {
  const { row, store, calls } = table();
  await row.record(store, ['a', 'b']);
  row.pin(['a', 'b'], () => undefined);
  await row.record(store, ['c']);
  await row.record(store, ['d']);
  row.unpin(['a', 'unknown']);
  await row.flush(store);
  await row.record(store, ['e']);
  expect(calls).toEqual([
    'record node a b',
    'record node a b c',
    'record node a b d',
    'record node a b',
    'record node b e',
  ]);
});

test('a pinned key belongs to a write in progress until the write ends or the key is removed', async () => {
  const { row, store } = table();
  expect(row.isPinned('a')).toBe(false);
  row.pin(['a', 'b'], () => undefined);
  expect(row.isPinned('a')).toBe(true);
  row.unpin(['a']);
  row.remove(store, ['b']);
  expect([row.isPinned('a'), row.isPinned('b')]).toEqual([false, false]);
  await row.flush(store);
});

test('a pinned key reports each overwrite by another process and is never missing', async () => {
  const { row, store, kept } = table();
  const onLost = jest.fn();
  await row.record(store, ['a']);
  row.pin(['a'], onLost);
  await row.record(store, ['b']);
  expect(onLost).not.toHaveBeenCalled();
  kept.delete('a');
  expect(await missing(row.record(store, ['a', 'c']))).toEqual(['c']);
  expect(onLost).toHaveBeenCalledTimes(1);
  expect([...kept]).toContain('a');
});

test('a pinned key can be removed during a call', async () => {
  const { row, store, kept, whileRecording } = table();
  await row.record(store, ['a']);
  row.pin(['a'], () => undefined);
  whileRecording.push(() => row.remove(store, ['a']));
  expect(await missing(row.record(store, ['b']))).toEqual(['b']);
  await row.flush(store);
  expect([...kept]).toEqual(['b']);
});

test('a run ends without a database call if no changes are pending', async () => {
  const { row, store, calls } = table();
  await row.flush(store);
  row.pin(['a'], () => undefined);
  await row.flush(store);
  expect(calls).toEqual([]);
});

test('the end of a run waits for removals', async () => {
  const { row, store, kept } = table();
  await row.record(store, ['a', 'b']);
  row.remove(store, ['a']);
  await row.flush(store);
  expect([...kept]).toEqual(['b']);
});

test('the end of a run waits for keys that replace removed ones', async () => {
  const { row, store, kept } = table();
  await row.record(store, ['mark', 'a']);
  row.remove(store, ['mark']);
  void row.record(store, ['mark']);
  await row.flush(store);
  expect([...kept]).toEqual(['a', 'mark']);
});

test('the end of a run does not fail if the database fails', async () => {
  const { row, store, kept, failures } = table();
  await row.record(store, ['a', 'b']);
  row.pin(['b'], () => undefined);
  row.unpin(['b']);
  row.remove(store, ['a']);
  failures.push(new Error('1'), new Error('2'), new Error('3'));
  await row.flush(store);
  expect([...kept]).toEqual(['a', 'b']);
  expect(await missing(row.record(store, ['c']))).toEqual(['c']);
});

test('a database error is ignored if the second attempt succeeds', async () => {
  const { row, store, failures } = table();
  failures.push(new Error('UNIQUE constraint failed'));
  expect(await missing(row.record(store, ['a']))).toEqual(['a']);
});

test('a database error fails all callers of the same call but not of the next call', async () => {
  const { row, store, failures } = table();
  failures.push(new Error('gone'), new Error('gone'));
  const found = [row.record(store, ['a']), row.record(store, ['b'])];
  expect((await Promise.allSettled(found)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await missing(row.record(store, ['a']))).toEqual(['a']);
});

test('adding keys that last needs no call without keys, and removes the keys that they replace', async () => {
  const { row, store, kept, calls } = table();
  row.add(store, []);
  await row.flush(store);
  expect(calls).toEqual([]);
  await row.record(store, ['payment']);
  row.add(store, ['done'], ['payment']);
  await row.flush(store);
  await row.flush(store);
  expect([...kept]).toEqual(['done']);
});

test('the row counts new keys, so that lasting keys are recorded again before n8n removes them', async () => {
  const { row, store } = table();
  await row.record(store, ['a', 'b']);
  await row.record(store, ['b', 'c']);
  expect(row.added).toBe(3);
  // Another process may add as many keys.
  expect(2 * RENEWED_AFTER_KEYS).toBeLessThanOrEqual(MOST_KEYS);
});

test("keys keep their values in every version, because n8n's database stores them", () => {
  expect([busyKey('open', 600_000), unproven('open')]).toEqual(['jsYyEPQm8L_7KddZB1_Pha', 'unproven open']);
});

test('a key that a killed look-up left beside its second key is found, but proves nothing', async () => {
  const { row, store, kept } = table();
  for (const key of ['left', unproven('left'), 'own']) kept.add(key);
  const before = [...kept];
  expect([...(await row.find(store, ['left', 'own', 'none']))]).toEqual(['left', 'own']);
  expect([...(await row.findProofs(store, ['left', 'own', 'none']))]).toEqual(['own']);
  await row.flush(store);
  expect([...kept]).toEqual(before);
});

test('a look-up leaves a key that a write in progress needs', async () => {
  const { row, store, kept, whileRecording } = table();
  whileRecording.push(() => row.pin(['a'], () => undefined));
  await row.record(store, ['a', 'b'], (added) => [...added]);
  await row.flush(store);
  expect([...kept]).toEqual(['a']);
});

describe('an attempt with a witness in another row', () => {
  timeIsSimulated();

  function bench() {
    const database = new ProcessedData();
    const store = database.helpers('row', 'other row') as KeyStore;
    const [row, witness] = [new KeyRow(MOST_KEYS, 'workflow'), new KeyRow()];
    const claim = { shared: ['a'], own: ['mine'], later: ['late'], isContended: true, witness };
    const begin = async () => {
      await row.record(store, ['a', 'mine']);
      return await row.keep(store, ['a', 'mine', 'late'], claim);
    };
    const rowsNow = async () => {
      await Promise.all([row, witness].map(async (one) => await one.flush(store)));
      return ['row', 'other row'].map((name) => database.rows.get(name) ?? []);
    };
    return { database, store, row, witness, begin, rowsNow };
  }

  test('leaves its key in both rows', async () => {
    const { begin, rowsNow } = bench();
    expect(await begin()).toBe('this');
    expect(await rowsNow()).toEqual([['a', 'mine', 'late'], ['a', 'mine'].map(witnessOf)]);
  });

  test('began earlier if only the witness shows it', async () => {
    const { begin, rowsNow, store, witness } = bench();
    await witness.record(store, [witnessOf('a')]);
    expect(await begin()).toBe('begun');
    expect(await rowsNow()).toEqual([['a', 'mine'], [witnessOf('a')]]);
  });

  test('begins if the other process gives up', async () => {
    const { begin, store, witness } = bench();
    await witness.record(store, [witnessOf('a')]);
    const result = begin();
    await sleep(150);
    witness.remove(store, [witnessOf('a')]);
    expect(await result).toBe('this');
  });

  test.each([
    ['other', (keys: string[]) => keys.filter((key) => key !== 'mine')],
    ['lost', () => []],
  ])('gives up its witness if its keys are %s', async (expected, overwritten) => {
    const { begin, database, rowsNow } = bench();
    const check = database.check.bind(database);
    let isWitnessed = false;
    database.check = async (keys, name, options) => {
      if (isWitnessed && name === 'row') database.rows.set('row', overwritten(database.rows.get('row') ?? []));
      if (name === 'other row') isWitnessed = true;
      return await check(keys, name, options);
    };
    expect(await begin()).toBe(expected);
    expect((await rowsNow())[1]).toEqual([]);
  });

  test.each([1, 2, 8])(
    'after %i failed look-ups, a release removes no keys that another process has recorded since',
    async (times) => {
      const { database, store, row, rowsNow } = bench();
      await row.record(store, ['a', 'mine']);
      const check = database.check.bind(database);
      let failures = 0;
      database.check = async (...given) => {
        if (failures === 0)
          await new KeyRow(MOST_KEYS, 'workflow').record({ ...store, ...others }, ['a', 'of another']);
        failures += 1;
        if (failures <= 2 * times) throw new Error('failed');
        return await check(...given);
      };
      const others = {
        checkProcessedAndRecord: async (keys: string[]) => await check(keys, 'row', { mode: 'entries' }),
      };
      const released = row.release(store, ['a', 'mine'], 'mine');
      if (times < 5) await released;
      else await expect(released).rejects.toThrow('failed');
      database.check = check;
      expect((await rowsNow())[0]).toEqual(['a', 'of another']);
    },
  );

  test('makes one call to the rows of a workflow at a time', async () => {
    let [open, most] = [0, 0];
    const call = async () => {
      most = Math.max(most, (open += 1));
      await sleep(5);
      open -= 1;
      return { new: [], processed: [] };
    };
    const store = { checkProcessedAndRecord: call, removeProcessed: call } as unknown as KeyStore;
    const context = { getWorkflow: () => ({ id: 'w' }), getNode: () => ({ id: 'n' }) } as unknown as IExecuteFunctions;
    const rows = [KeyRow.ofNode(context), KeyRow.ofWorkflow(context)];
    for (const row of rows) row.remove(store, ['b']);
    await Promise.all(rows.flatMap((row) => [row.record(store, ['a']), row.flush(store)]));
    expect(most).toBe(1);
  });
});

describe('keys of an attempt that several processes may begin', () => {
  const all = ['first', 'own', 'more'];
  const claim = { shared: ['first'], own: ['own'], isContended: true };
  timeIsSimulated();

  test('belong to only one of two processes that overwrite each other', async () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const draw = random(seed);
      const database = new ProcessedData(async () => await sleep(1 + draw() * (draw() < 0.1 ? 90 : 20)));
      await database.check(['older'], 'row', { mode: 'entries' });
      const store = database.helpers('row');
      const begins = async (process: string) => {
        const row = new KeyRow();
        const { first, own, later } = { first: 'first', own: [process], later: ['later'] };
        const added = await row.record(store, [first, process], (some) => (some.has(first) ? [] : [...some]));
        if (!added.has(first)) return 'other';
        return await row.keep(store, [first, process, ...later], { shared: [first], own, later, isContended: true });
      };
      const begun = await Promise.all(['one', 'two'].map(begins));
      expect(begun.filter((kept) => kept === 'this')).toHaveLength(1);
    }
  });

  test('belong to this process if they are still there', async () => {
    const { row, store, kept, calls } = table();
    await row.record(store, all);
    expect(await row.keep(store, all, claim)).toBe('this');
    expect(calls).toHaveLength(2);
    expect([...kept]).toEqual(all);
  });

  test('belong to another process if only that process recorded the same attempt', async () => {
    const { row, store, kept } = table();
    await row.record(store, all);
    kept.delete('own');
    expect(await row.keep(store, all, claim)).toBe('other');
    await row.flush(store);
    expect([...kept]).toEqual(['first', 'more']);
  });

  test('belong to another process even if that process overwrote only some of its own keys', async () => {
    const { row, store, kept } = table();
    await row.record(store, ['first', 'own', 'own 2']);
    kept.delete('own 2');
    expect(await row.keep(store, ['first', 'own', 'own 2'], { ...claim, own: ['own', 'own 2'] })).toBe('other');
  });

  test.each([
    ['all of them', all],
    ['the first', ['first']],
    ['one that any process records', ['more']],
  ])('are recorded again if another process overwrote %s', async (_, lost) => {
    const { row, store, kept, calls } = table();
    await row.record(store, all);
    for (const key of lost) kept.delete(key);
    expect(await row.keep(store, all, claim)).toBe('this');
    expect(calls).toHaveLength(3);
    expect([...kept].sort()).toEqual([...all].sort());
  });

  test('are lost if other processes overwrite them five times', async () => {
    const { row, store, kept, calls, whileRecording } = table();
    await row.record(store, all);
    whileRecording.push(...Array.from({ length: 9 }, () => () => kept.clear()));
    expect(await row.keep(store, all, claim)).toBe('lost');
    expect(calls).toHaveLength(6);
  });
});

describe('tasks that must not run at the same time', () => {
  const START = 1_800_000_000_000;
  const SLOT_MS = 10_000;
  timeIsSimulated();
  beforeEach(() => jest.setSystemTime(START));

  test('run one after another, in one process and in several', async () => {
    const { store, kept } = table();
    const log: string[] = [];
    const task = (name: string) => async () => {
      log.push(`${name} begins`);
      for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      log.push(`${name} ends`);
      return name;
    };
    const [one, other] = [new KeyRow(), new KeyRow()];
    const all = [one.exclusively(store, 'k', task('a')), one.exclusively(store, 'k', task('b'))];
    expect(await Promise.all([...all, other.exclusively(store, 'k', task('c'))])).toEqual(['a', 'b', 'c']);
    for (const [index, line] of log.entries())
      if (index % 2 === 0) expect(log[index + 1]).toBe(line.replace('begins', 'ends'));
    await Promise.all([one.flush(store), other.flush(store)]);
    expect([...kept]).toEqual([]);
  });

  test('never run at the same time in two processes that overwrite each other when ten seconds begin', async () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const draw = random(seed);
      const database = new ProcessedData(async () => await sleep(1 + draw() * 10));
      await database.check(['older'], 'row', { mode: 'entries' });
      jest.setSystemTime(Math.ceil(Date.now() / SLOT_MS) * SLOT_MS - 5);
      let running = 0;
      let most = 0;
      const task = async () => {
        most = Math.max(most, (running += 1));
        await sleep(500);
        running -= 1;
      };
      const runs = async (afterMs: number) => {
        await sleep(afterMs);
        await new KeyRow().exclusively(database.helpers('row'), 'k', task);
      };
      await Promise.all([runs(0), runs(10 * draw())]);
      expect({ seed, most }).toEqual({ seed, most: 1 });
    }
  });

  test('run at the same time if they have different names', async () => {
    const { store, row } = table();
    let running = 0;
    let most = 0;
    const task = async () => {
      most = Math.max(most, (running += 1));
      await row.record(store, []);
      running -= 1;
    };
    await Promise.all([row.exclusively(store, 'a', task), row.exclusively(store, 'b', task)]);
    expect(most).toBe(2);
  });

  test('end with an error if a task failed, and let the next task run', async () => {
    const { store, row } = table();
    await expect(row.exclusively(store, 'k', async () => await Promise.reject(new Error('x')))).rejects.toThrow('x');
    expect(await row.exclusively(store, 'k', async () => await Promise.resolve(7))).toBe(7);
  });

  test('wait for 23 seconds at most', async () => {
    const { store, row } = table();
    store.checkProcessedAndRecord = async (keys) => await Promise.resolve({ new: [], processed: keys });
    await expect(row.exclusively(store, 'k', async () => await Promise.resolve(1))).rejects.toThrow('uses the keys');
    expect(Date.now() - START).toBe(23_250);
  });

  test.each([0, 5_000, 9_999])(
    'a process that was killed %i ms after the start of ten seconds blocks a task until the next ten seconds are over',
    async (from) => {
      const { store, kept, row } = table();
      const slot = Math.ceil(START / SLOT_MS) * SLOT_MS;
      jest.setSystemTime(slot + from);
      void new KeyRow().exclusively(store, 'k', async () => await new Promise(() => undefined));
      while (kept.size < 3) await new Promise((resolve) => setImmediate(resolve));
      const at = await row.exclusively(store, 'k', async () => await Promise.resolve(Date.now()));
      expect(at - slot).toBeGreaterThanOrEqual(2 * SLOT_MS);
      expect(at - slot).toBeLessThan(2 * SLOT_MS + 1_600);
    },
  );
});

test('a key that is added before a look-up removes it stays in the row', async () => {
  const { row, store, kept, whileRecording } = table();
  whileRecording.push(() => void row.record(store, ['waiting']));
  const found = await row.find(store, ['done']);
  row.add(store, ['done']);
  await row.flush(store);
  expect([[...found], [...kept]]).toEqual([[], ['done', 'waiting']]);
});

describe('writes that end at almost the same time', () => {
  /** Returns the calls of three writes that begin within a millisecond. */
  async function recorded(callMs: number, isUnderWay: boolean): Promise<string[]> {
    const { row, store, calls } = table();
    const check = store.checkProcessedAndRecord.bind(store);
    store.checkProcessedAndRecord = async (...given) => {
      await sleep(callMs);
      return await check(...given);
    };
    if (isUnderWay) row.pin(['last'], () => undefined);
    await row.record(store, ['first']);
    calls.length = 0;
    const next = ['a', 'b', 'c'].map(async (key, index) => {
      await sleep(index / 2);
      await row.record(store, [key]);
    });
    await Promise.all(next);
    return calls.map((call) => call.replace(/record node| last/g, '').trim());
  }

  test('share a call if calls take long and another write is under way', async () => {
    expect(await recorded(10, true)).toEqual(['a b c']);
  });

  test("don't wait if no other write is under way", async () => {
    expect(await recorded(10, false)).toEqual(['a', 'b c']);
  });
});

describe('a write that is under way', () => {
  beforeEach(() => jest.useFakeTimers({ now: 600_000, doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] }));
  afterEach(() => jest.useRealTimers());

  test('is found until its time ends, for at most 15 minutes', async () => {
    const { row, store } = table();
    const at = async (until: number) => {
      const key = busyKey('open', until);
      await row.record(store, [key]);
      const isBusy = await row.isBusy(store, 'open');
      row.remove(store, [key]);
      return isBusy;
    };
    const [now, minute] = [600_000, 60_000];
    expect(await at(now - 1)).toBe(true);
    expect(await at(now - minute)).toBe(false);
    expect(await at(now + 14 * minute)).toBe(true);
    expect(await at(now + 14 * minute + 1)).toBe(false);
    expect(await row.isBusy(store, 'open')).toBe(false);
  });

  test('is no longer than its time limit and a minute, and 14 minutes', () => {
    expect(untilMs(1000)).toBe(661_000);
    expect(untilMs(780_000)).toBe(600_000 + 840_000);
    expect(untilMs(3_600_000)).toBe(600_000 + 840_000);
  });

  test('is found by its pinned key without a call, and not by the keys of the caller', async () => {
    const { row, store, calls } = table();
    row.pin(['open'], () => undefined);
    expect(await row.isBusy(store, 'open')).toBe(true);
    expect(calls).toEqual([]);
    const own = busyKey('other', 600_000);
    await row.record(store, [own]);
    expect(await row.isBusy(store, 'other', new Set([own]))).toBe(false);
    expect(await row.isBusy(store, 'other')).toBe(true);
  });
});
