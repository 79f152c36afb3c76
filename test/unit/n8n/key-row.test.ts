import { KeyRow, MOST_KEYS, type KeyStore } from '../../../nodes/PaymentPlatform/n8n/key-row';

function table() {
  const kept = new Set<string>();
  const calls: string[] = [];
  const whileRecording: Array<() => void> = [];
  const failures: Error[] = [];
  const access = async (what: string, keys: unknown[], scope: string) => {
    calls.push([what, scope, ...keys].join(' '));
    await new Promise((resolve) => setImmediate(resolve));
    const failure = failures.shift();
    if (failure) throw failure;
  };
  const store = {
    checkProcessedAndRecord: async (keys: string[], scope: string, options: object) => {
      expect(options).toEqual({ mode: 'entries', maxEntries: MOST_KEYS });
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
  return { store, kept, calls, whileRecording, failures, row: new KeyRow() };
}

const missing = async (recorded: Promise<Set<string>>) => [...(await recorded)];

test('all callers in a process use one row per name', () => {
  expect(KeyRow.of('node a')).toBe(KeyRow.of('node a'));
  expect(KeyRow.of('node a')).not.toBe(KeyRow.of('node b'));
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
    [500, ['500']],
    [501, ['500', '1']],
    [1200, ['500', '500', '200']],
  ])('%i keys are looked up in calls of at most 500 keys', async (count, sizes) => {
    const { row, store, kept, calls } = table();
    const keys = Array.from({ length: count }, (_, index) => `x${index}`);
    const known = keys.filter((_, index) => index % 499 === 0);
    for (const key of known) kept.add(key);
    expect([...(await row.find(store, keys))]).toEqual(known);
    await row.flush(store);
    expect([...kept]).toEqual(known);
    const recorded = calls.filter((call) => call.startsWith('record'));
    expect(recorded.map((call) => String(call.split(' ').length - 2))).toEqual(sizes);
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

describe('a pinned key', () => {
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
});

describe('the end of a run', () => {
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
});

describe('a database error', () => {
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
});
