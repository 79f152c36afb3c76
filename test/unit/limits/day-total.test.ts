import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { DayTotal } from '../../../nodes/PaymentPlatform/limits/day-total';
import { KeyRow, MOST_KEYS } from '../../../nodes/PaymentPlatform/n8n/key-row';
import { previewOf } from '../../../nodes/PaymentPlatform/n8n/preview';
import { ProcessedData } from '../../processed-data';
import { timeIsSimulated } from '../../simulated-time';
import { random } from '../once/keys-bench';

timeIsSimulated();

const HIGHEST = 2 ** 50 - 1;
const adding = (cents: number) => (before: number) => before + cents;

async function read(total: DayTotal, store: never, day = 'monday'): Promise<number> {
  let seen = NaN;
  await total.change(store, day, (cents) => (seen = cents));
  return seen;
}

const contextOf = (id: string) =>
  ({
    getContext: () => ({}),
    getNode: () => ({ id }),
    getWorkflow: () => ({ id: 'totals' }),
  }) as unknown as IExecuteFunctions;

function processes(count: number, database = new ProcessedData()) {
  const store = database.helpers('row');
  const rows = Array.from({ length: count }, () => new KeyRow(MOST_KEYS));
  const totals = rows.map((row) => new DayTotal(row));
  const [first = new DayTotal(new KeyRow(MOST_KEYS))] = totals;
  const flushed = async () => await Promise.all(rows.map(async (row) => await row.flush(store)));
  return { database, store, totals, first, flushed };
}

const totalsIn = ({ rows }: ProcessedData) => rows.get('row')?.filter((key) => key.startsWith('total '));

describe('the total of a day', () => {
  test('the total of a day begins at zero and includes every change', async () => {
    const { first, store } = processes(1);
    expect(await read(first, store)).toBe(0);
    for (const cents of [1, 250, 99_999_999_999, -251]) await first.change(store, 'monday', adding(cents));
    expect(await read(first, store)).toBe(99_999_999_999);
  });

  test('the total of a day is the same for a process that starts later', async () => {
    const { totals, store } = processes(2);
    for (const cents of [1205, 3, 40_000]) {
      await totals[0]?.change(store, 'monday', adding(cents));
      await totals[1]?.change(store, 'monday', adding(1));
    }
    expect(await read(processes(1).first, store)).toBe(41_211);
  });

  test('each day has a separate total', async () => {
    const { first, store } = processes(1);
    await first.change(store, 'monday', adding(5));
    await first.change(store, 'tuesday', adding(7));
    expect([await read(first, store, 'monday'), await read(first, store, 'tuesday')]).toEqual([5, 7]);
  });

  test('the total of a day stops at the highest recordable total', async () => {
    const { first, store } = processes(1);
    await first.change(store, 'monday', () => 2 ** 60);
    expect(await read(first, store)).toBe(HIGHEST);
  });

  test('outdated keys of a day total are removed from the row', async () => {
    const { first, store, database, flushed } = processes(1);
    for (let change = 0; change < 50; change += 1) await first.change(store, 'monday', adding(12_345));
    await read(first, store);
    await first.change(store, 'monday', () => 1);
    await flushed();
    expect(database.rows.get('row')).toHaveLength(6);
  });

  test('every change records the total of the day as the newest keys', async () => {
    const { first, store, database, flushed } = processes(1);
    await first.change(store, 'monday', adding(3));
    await flushed();
    await database.check(['a', 'b'], 'row', { mode: 'entries', maxEntries: MOST_KEYS });
    await first.change(store, 'monday', (cents) => cents);
    await flushed();
    expect(database.rows.get('row')?.slice(0, 2)).toEqual(['a', 'b']);
  });

  test('the total of a day includes all simultaneous changes of a process', async () => {
    const { first, store } = processes(1);
    await Promise.all(Array.from({ length: 40 }, async () => await first.change(store, 'monday', adding(1))));
    expect(await read(first, store)).toBe(40);
  });

  test('simultaneous changes of two days change separate totals', async () => {
    const { first, store } = processes(1);
    const changes = { monday: [5, 1, 2], tuesday: [7, 30] };
    const all = Object.entries(changes).flatMap(([day, cents]) => cents.map((one) => ({ day, one })));
    await Promise.all(all.map(async ({ day, one }) => await first.change(store, day, adding(one))));
    expect([await read(first, store, 'monday'), await read(first, store, 'tuesday')]).toEqual([8, 37]);
  });

  test('the total of a day is unchanged if the database fails, and later changes succeed', async () => {
    const { first, store, database } = processes(1);
    await first.change(store, 'monday', adding(8));
    database.failing = new Error('disk full');
    await expect(first.change(store, 'monday', adding(1))).rejects.toThrow('disk full');
    delete database.failing;
    expect(await read(first, store)).toBe(8);
  });

  test.each([24, -24])(
    'the total of a day is the old or the new total if n8n is killed during a change by %i',
    async (by) => {
      for (let kill = 1; kill < 12; kill += 1) {
        const { first, store, database, flushed } = processes(1);
        await first.change(store, 'monday', adding(1000));
        await flushed();
        let isDone = false;
        const { killed, revive } = killAfter(database, kill);
        const changed = first.change(store, 'monday', adding(by)).then(() => (isDone = true));
        await Promise.race([changed, killed]);
        revive();
        jest.setSystemTime(Date.now() + 20_000);
        const after = await read(processes(1).first, store);
        expect(isDone ? [1000 + by] : [1000, 1000 + by]).toContain(after);
        const { first: next } = processes(1);
        for (const cents of [30, -2, 7]) await next.change(store, 'monday', adding(cents));
        expect(await read(processes(1).first, store)).toBe(after + 35);
      }
    },
  );

  test('the total of a day includes a simultaneous change of another process', async () => {
    const { totals, first, store, database } = processes(2);
    const check = database.check.bind(database);
    let calls = 0;
    database.check = async (...all) => {
      calls += 1;
      if (calls === 2) await totals[1]?.change(store, 'monday', adding(5));
      return await check(...all);
    };
    await first.change(store, 'monday', adding(7));
    expect(await read(processes(1).first, store)).toBe(12);
  });

  test('the total of a day includes all changes of processes that overwrite each other', async () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const draw = random(seed);
      const database = new ProcessedData(async () => await sleep(1 + draw() * 20));
      await database.check(['older'], 'row', { mode: 'entries' });
      const { totals, store } = processes(2, database);
      const changes = totals.flatMap((total) => [1, 20, 300].map((cents) => ({ total, cents })));
      await Promise.all(changes.map(async ({ total, cents }) => await total.change(store, 'monday', adding(cents))));
      expect({ seed, total: await read(processes(1, database).first, store) }).toEqual({ seed, total: 642 });
    }
  });

  test('the total of a day includes all changes beside the previews of another process', async () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const draw = random(seed);
      const database = new ProcessedData(async () => await sleep(1 + draw() * 10));
      await database.check(['older'], 'row', { mode: 'entries' });
      const { first, store } = processes(1, database);
      await first.change(store, 'monday', adding(1000));
      const previewed = DayTotal.of(KeyRow.ofNode(previewOf(contextOf(`beside ${seed}`))));
      const previews = async () => {
        await sleep(draw() * 400);
        await previewed.change(store, 'monday', adding(1));
      };
      await Promise.all([first.change(store, 'monday', adding(24)), previews()]);
      expect({ seed, total: await read(processes(1).first, store) }).toEqual({ seed, total: 1024 });
    }
  });

  test('a change removes only keys of totals and of look-ups', async () => {
    const { first, store, database, flushed } = processes(1);
    const remove = database.remove.bind(database);
    const removed: string[] = [];
    database.remove = async (keys, row) => {
      removed.push(...keys);
      await remove(keys, row);
    };
    for (const cents of [5, 7]) await first.change(store, 'monday', adding(cents));
    await flushed();
    expect(removed.length).toBeGreaterThan(0);
    const [TOTAL, LOCK] = [/^(unproven )*total monday [0-2] [01]/, /^(unproven )?[\w-]{36}$|^[\w-]{22}$/];
    expect(removed.filter((key) => !TOTAL.test(key) && !LOCK.test(key))).toEqual([]);
  });

  test('a process has one object with the total for each row', () => {
    const totalOf = (node: string) => DayTotal.of(KeyRow.ofNode(contextOf(node)));
    expect(totalOf('one')).toBe(totalOf('one'));
    expect(totalOf('one')).not.toBe(totalOf('two'));
  });

  test('a total is old after 5,000 newer keys, until the next change', async () => {
    const store = new ProcessedData().helpers('row');
    const row = new KeyRow();
    const total = new DayTotal(row);
    const record = async (count: number, name: string) =>
      await row.record(
        store,
        Array.from({ length: count }, (_, index) => `${name} ${index}`),
      );
    await record(1000, 'before');
    await total.change(store, 'monday', adding(1));
    const left = 5000 - (row.added - 1000);
    await record(left - 1, 'newer');
    expect(total.isOld).toBe(false);
    await record(1, 'newest');
    expect(total.isOld).toBe(true);
    await total.change(store, 'monday', adding(1));
    expect(total.isOld).toBe(false);
  });

  test('the total of a day stays readable if several processes change it at the same time', async () => {
    const { totals, store, flushed } = processes(3);
    const changes = totals.flatMap((total) => Array.from({ length: 5 }, () => total));
    const sent = await Promise.all(
      changes.map(async (total) => await total.change(store, 'monday', adding(100)).then(() => 100)),
    );
    await flushed();
    const after = await read(processes(1).first, store);
    expect(sent).toHaveLength(15);
    expect(after).toBe(1500);
  });

  test('a total whose two copies are unreadable causes an error', async () => {
    const { first, store, database, flushed } = processes(1);
    await first.change(store, 'monday', adding(1));
    const check = database.check.bind(database);
    database.check = async (keys, ...more) =>
      keys.some((key) => key.startsWith('total ')) ? { new: [], processed: keys } : await check(keys, ...more);
    const waits = jest.spyOn(globalThis, 'setTimeout');
    await flushed();
    const before = totalsIn(database);
    await expect(first.change(store, 'monday', adding(1))).rejects.toThrow("The day's total can't be read");
    const delays = waits.mock.calls.map(([, delay = 0]) => delay);
    waits.mockRestore();
    const pauses = delays.filter((delay) => delay < 100);
    expect(pauses).toHaveLength(20);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(50);
    await flushed();
    expect(totalsIn(database)).toEqual(before);
  });

  test('a change repairs an unreadable copy of the total', async () => {
    const { first, store, database, flushed } = await unreadableCopy();
    await first.change(store, 'monday', adding(24));
    await flushed();
    expect(totalsIn(database)?.sort()).toEqual([0, 1, 2].flatMap((copy) => [`${nameOf(copy)}`, `${nameOf(copy)} 10`]));
    expect(await read(processes(1).first, store)).toBe(1024);
  });

  test('the total of a day is not lost if n8n is killed while it repairs a copy of the total', async () => {
    const whole = await unreadableCopy();
    const before = whole.database.calls;
    await whole.first.change(whole.store, 'monday', adding(24));
    const calls = whole.database.calls - before;
    for (let kill = calls - 20; kill < calls; kill += 1) {
      const { first, store, database } = await unreadableCopy();
      const { killed, revive } = killAfter(database, kill);
      await Promise.race([first.change(store, 'monday', adding(24)), killed]);
      revive();
      jest.setSystemTime(Date.now() + 20_000);
      const after = await read(processes(1).first, store).catch(() => 'unreadable');
      expect([1000, 1024, 'unreadable']).toContain(after);
    }
  });

  describe('if another process writes at the same moment', () => {
    afterEach(() => jest.restoreAllMocks());
    /** The first call keeps the lock, and the second call keeps the new total. */
    const keeping = () => jest.spyOn(KeyRow.prototype, 'keep').mockResolvedValueOnce('this');

    async function changed(database: ProcessedData): Promise<number> {
      const { first, store, flushed } = processes(1, database);
      await first.change(store, 'monday', adding(5));
      await flushed();
      return await read(processes(1, database).first, store);
    }

    async function total1000(): Promise<ProcessedData> {
      const { first, store, database, flushed } = processes(1);
      await first.change(store, 'monday', adding(1000));
      await flushed();
      return database;
    }

    test('a change claims the new total', async () => {
      const database = await total1000();
      const keep = keeping();
      await changed(database);
      const [, [, , claim] = []] = keep.mock.calls;
      expect(claim).toEqual({ shared: ['total monday 1 0'], own: [expect.any(String)], isContended: true });
    });

    test('the change of the other process counts too', async () => {
      const database = await total1000();
      keeping().mockResolvedValueOnce('other');
      expect(await changed(database)).toBe(1010);
    });

    test('a change that was not kept runs again', async () => {
      const database = await total1000();
      keeping().mockResolvedValueOnce('lost');
      expect(await changed(database)).toBe(1005);
    });

    test('a change that the other process overwrote runs again', async () => {
      const database = await total1000();
      const before = [...(database.rows.get('row') ?? [])];
      keeping().mockImplementationOnce(async () => {
        database.rows.set('row', before);
        return await Promise.resolve('lost');
      });
      expect(await changed(database)).toBe(1005);
    });

    test('an equal change of the other process counts too', async () => {
      const database = await total1000();
      const check = database.check.bind(database);
      database.check = async (keys, ...more) => {
        const isWrite = keys.includes('total monday 0 0') && !keys.some((key) => key.startsWith('unproven '));
        if (!isWrite) return await check(keys, ...more);
        database.check = check;
        const others = keys.filter((key) => key.startsWith('total '));
        database.rows.set('row', [...(database.rows.get('row') ?? []), ...others]);
        return await check(keys, ...more);
      };
      expect(await changed(database)).toBe(1010);
    });
  });

  test('a preview adds up its own changes, and leaves the total', async () => {
    const { first, store, flushed } = processes(1);
    await first.change(store, 'monday', adding(1000));
    await flushed();
    const previewed = DayTotal.of(KeyRow.ofNode(previewOf(contextOf('two changes'))));
    for (const cents of [24, 1]) await previewed.change(store, 'monday', adding(cents));
    expect([await read(previewed, store), await read(processes(1).first, store)]).toEqual([1025, 1000]);
  });

  test.each([350, 400, 450])(
    'the total of a day is not a part of a look-up if n8n is killed while it removes %i other keys',
    async (others) => {
      for (let kill = 1; kill < 12; kill += 1) {
        const database = new ProcessedData();
        const store = database.helpers('row');
        const row = new KeyRow(MOST_KEYS);
        const total = new DayTotal(row);
        await total.change(store, 'monday', adding(1000));
        await row.flush(store);
        const check = database.check.bind(database);
        const other = Array.from({ length: others }, (_, index) => `other ${index}`);
        database.check = async (keys, ...more) => {
          if (keys.includes('total monday 0 0')) row.remove(store, other.splice(0));
          return await check(keys, ...more);
        };
        const { killed, revive } = killAfter(database, kill);
        await Promise.race([total.change(store, 'monday', adding(24)), killed]);
        revive();
        database.check = check;
        jest.setSystemTime(Date.now() + 20_000);
        expect([1000, 1024]).toContain(await read(processes(1).first, store));
      }
    },
  );

  test('a change removes neither copy of the old total before the database contains the new total', async () => {
    const { first, store, database, flushed } = processes(1);
    await first.change(store, 'monday', adding(1000));
    await flushed();
    const lacking: string[] = [];
    database.access = async () => {
      const keys = database.rows.get('row') ?? [];
      for (const copy of [0, 1])
        if (!keys.some((key) => key.startsWith(`total monday ${copy} `))) lacking.push(`${copy}: ${keys.join()}`);
      await Promise.resolve();
    };
    await first.change(store, 'monday', adding(24));
    expect(lacking).toEqual([]);
  });

  test('a change removes keys of an old total that another process has overwritten in part', async () => {
    const { first, store, database, flushed } = processes(1);
    for (const cents of [1000, 24]) await first.change(store, 'monday', adding(cents));
    await flushed();
    const leftover = 'total monday 0 1 3';
    database.rows.get('row')?.push(leftover);
    await first.change(store, 'monday', adding(1));
    await flushed();
    expect([await read(processes(1).first, store), database.rows.get('row')?.includes(leftover)]).toEqual([
      1025,
      false,
    ]);
  });
});

const nameOf = (copy: number) => `total monday ${copy} 1`;

/** Returns a total of 10.00 whose first copy a killed look-up made unreadable. */
async function unreadableCopy() {
  const own = processes(1);
  for (const cents of [400, 600]) await own.first.change(own.store, 'monday', adding(cents));
  await own.flushed();
  const copy = [0, 1].flatMap((generation) => [
    `total monday 0 ${generation}`,
    ...Array.from({ length: 50 }, (_, bit) => `total monday 0 ${generation} ${bit}`),
  ]);
  await own.database.check(copy, 'row', { mode: 'entries' });
  return own;
}

/** Simulates killing n8n: after `accesses` calls, calls to the database never complete. */
function killAfter(database: ProcessedData, accesses: number): { killed: Promise<void>; revive: () => void } {
  const until = database.calls + accesses;
  const check = database.check.bind(database);
  const remove = database.remove.bind(database);
  let kill: () => void = () => undefined;
  const killed = new Promise<void>((resolve) => (kill = resolve));
  const stopped = async () => {
    kill();
    return await new Promise<never>(() => undefined);
  };
  database.check = async (...all) => await (database.calls < until ? check(...all) : stopped());
  database.remove = async (...all) => await (database.calls < until ? remove(...all) : stopped());
  return { killed, revive: () => void Object.assign(database, { check, remove }) };
}
