import { sleep } from 'n8n-workflow';

import { CallQueue, KeyRow, type KeyStore, unproven } from '../../../nodes/PaymentPlatform/n8n/key-row';
import { DeliveryClaims } from '../../../nodes/PaymentPlatform/trigger/delivery-claims';
import { Marks, NodeWitness } from '../../../nodes/PaymentPlatform/trigger/marks';
import { ended } from '../ended';
import { Random } from '../../simulator/random';
import { quantity } from '../../quantity';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

type Change<T> = (before: string[]) => { after: string[]; result: T };

/** Rows in n8n's table that two processes share and can overwrite. */
class SlowRow {
  private readonly rows: Record<string, string[]> = {};
  constructor(private readonly accessMs: () => number) {}
  private async write<T>(scope: string, change: Change<T>): Promise<T> {
    const before = this.rows[scope] ?? [];
    await sleep(this.accessMs());
    const { after, result } = change(before);
    this.rows[scope] = after;
    await sleep(this.accessMs());
    return result;
  }
  readonly store: KeyStore = {
    checkProcessedAndRecord: async (values, scope) =>
      await this.write(scope, (before) => {
        const added = values.map(String).filter((value) => !before.includes(value));
        return { after: [...before, ...added], result: { new: added, processed: [] } };
      }),
    removeProcessed: async (values, scope) =>
      await this.write(scope, (before) => ({
        after: before.filter((mark) => !values.map(String).includes(mark)),
        result: undefined,
      })),
    getProcessedDataCount: async (scope) => await Promise.resolve(this.rows[scope]?.length ?? 0),
  };
}

/** Row of n8n's table if n8n runs as a single process. */
class Row {
  private marks: string[] = [];
  writeOver(): void {
    this.marks = [];
  }
  readonly store: KeyStore = {
    checkProcessedAndRecord: async (values) => {
      const before = new Set(this.marks);
      const added = values.map(String).filter((value) => !before.has(value));
      this.marks.push(...added);
      return await Promise.resolve({ new: added, processed: values.map(String).filter((value) => before.has(value)) });
    },
    removeProcessed: async (values) => {
      this.marks = this.marks.filter((mark) => !values.map(String).includes(mark));
      return await Promise.resolve(undefined);
    },
    getProcessedDataCount: async () => await Promise.resolve(this.marks.length),
  };
}

test('the second of two executions of a delivery waits for the result of the first execution', async () => {
  const ledger = new DeliveryClaims();
  const { store } = new Row();
  const both = ['1', '2'].map(async (execution) => await ledger.begin(store, 'id', execution, false));
  expect(await ended(Promise.all(both))).toEqual(['new', 'open']);
  const waiting = ledger.awaitEnd(store, 'id', '2');
  ledger.end(store, 'id', '1', true);
  expect(await ended(waiting)).toBe('done');
  expect(await ended(ledger.begin(store, 'id', '3', false))).toBe('done');
});

test('the second execution of a delivery continues after the first failed', async () => {
  const ledger = new DeliveryClaims();
  const { store } = new Row();
  expect(await ended(ledger.begin(store, 'id', '1', false))).toBe('new');
  const waiting = ledger.awaitEnd(store, 'id', '2');
  ledger.end(store, 'id', '1', false);
  expect(await ended(waiting)).toBe('new');
  expect(await ended(ledger.begin(store, 'id', '3', false))).toBe('open');
});

test('an execution that waited records its proof together with its claim', async () => {
  const ledger = new DeliveryClaims();
  const { store } = new Row();
  const record = jest.spyOn(store, 'checkProcessedAndRecord');
  expect(await ended(ledger.begin(store, 'id', '1', false))).toBe('new');
  const waiting = ledger.awaitEnd(store, 'id', '2', undefined, { failed: ['caught id'], lost: [] });
  ledger.end(store, 'id', '1', false);
  expect(await ended(waiting)).toBe('new');
  const claims = record.mock.calls.map(([keys]) => keys).filter((keys) => keys.includes('by 2 id'));
  expect(claims[0]).toEqual(expect.arrayContaining(['taken id', 'caught id']));
});

test('an execution that waited for a success leaves no proof', async () => {
  const ledger = new DeliveryClaims();
  const { store } = new Row();
  expect(await ended(ledger.begin(store, 'id', '1', false))).toBe('new');
  const waiting = ledger.awaitEnd(store, 'id', '2', undefined, { failed: ['caught id'], lost: [] });
  ledger.end(store, 'id', '1', true);
  expect(await ended(waiting)).toBe('done');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(await ended(ledger.marks.find(store, ['caught id']))).toEqual(new Set());
});

test('an execution that n8n runs again continues', async () => {
  const ledger = new DeliveryClaims();
  const { store } = new Row();
  expect(await ended(ledger.begin(store, 'id', '1', false))).toBe('new');
  expect(await ended(ledger.begin(store, 'id', '1', false))).toBe('new');
});

test("the next execution processes deliveries that an ended process didn't complete", async () => {
  const { store } = new Row();
  expect(await ended(new DeliveryClaims().begin(store, 'id', '1', false))).toBe('new');
  expect(await ended(new DeliveryClaims().begin(store, 'id', '2', false))).toBe('new');
});
test("doesn't process a copy of a delivery in a worker right after a success", async () => {
  const ledger = new DeliveryClaims();
  const { store } = new Row();
  expect(await ended(ledger.begin(store, 'id', '1', true))).toBe('new');
  ledger.end(store, 'id', '1', true);
  expect(await ended(ledger.begin(store, 'id', '2', true))).toBe('done');
});

test('recognizes a copy of a delivery after another process overwrote the keys', async () => {
  const ledger = new DeliveryClaims();
  const row = new Row();
  expect(await ended(ledger.begin(row.store, 'id', '1', true))).toBe('new');
  row.writeOver();
  ledger.end(row.store, 'id', '1', true);
  await jest.advanceTimersByTimeAsync(100);
  row.writeOver();
  await jest.advanceTimersByTimeAsync(600);
  expect(await ended(new DeliveryClaims().begin(row.store, 'id', '2', true))).toBe('done');
});

test("doesn't treat an execution that n8n repeats in another worker as a copy", async () => {
  const { store } = new Row();
  expect(await ended(new DeliveryClaims().begin(store, 'id', '1', true))).toBe('new');
  expect(await ended(new DeliveryClaims().begin(store, 'id', '2', true))).toBe('open');
  expect(await ended(new DeliveryClaims().begin(store, 'id', '1', true))).toBe('new');
});

test('a proof counts although another search left the key that hides it', async () => {
  const { store } = new Row();
  const marks = new Marks();
  await ended(marks.add(store, [unproven('caught')]));
  await ended(marks.addProofs(store, ['caught']));
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await ended(marks.proofs(store, ['caught']))).toEqual(new Set(['caught']));
});

test('a look-up leaves the proof of a key while another process writes', async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const random = new Random(seed);
    const { store } = new SlowRow(() => random.integer(1, 20));
    const [marks, others] = [new Marks(), new Marks()];
    await ended(marks.add(store, ['key']));
    const write = async () => {
      for (let count = 0; count < 8; count += 1) await others.add(store, [`other ${count}`]);
    };
    const [proofs] = await ended(Promise.all([marks.proofs(store, ['key']), write()]));
    await jest.advanceTimersByTimeAsync(10_000);
    const later = await ended(new Marks().proofs(store, ['key']));
    expect({ seed, count: proofs.size, later: later.size }).toEqual({ seed, count: 1, later: 1 });
  }
});

/** Returns the claims of a process that makes one call at a time to both rows. */
function claimsOfProcess(nodeId = 'node'): DeliveryClaims {
  const queue = new CallQueue();
  const witness = new NodeWitness(new KeyRow(1_000, 'workflow', queue), nodeId);
  return new DeliveryClaims(new Marks(new KeyRow(1_000, 'node', queue), witness));
}

type Scope = Parameters<KeyStore['checkProcessedAndRecord']>[1];

/** Returns the store of another node of the workflow. */
const withScopes = ({ checkProcessedAndRecord, ...store }: KeyStore, scopeOf: (scope: Scope) => Scope): KeyStore => ({
  ...store,
  checkProcessedAndRecord: async (values, scope, options) =>
    await checkProcessedAndRecord(values, scopeOf(scope), options),
});

test('two triggers of a workflow process the same event', async () => {
  const { store } = new SlowRow(() => 1);
  const other = withScopes(store, (scope) => (scope === 'node' ? ('other node' as Scope) : scope));
  const begun = [
    claimsOfProcess().begin(store, 'id', '1', true),
    claimsOfProcess('other').begin(other, 'id', '2', true),
  ];
  expect(await ended(Promise.all(begun))).toEqual(['new', 'new']);
});

test("claims don't depend on the workflow's row", async () => {
  const { store } = new SlowRow(() => 1);
  const refusing = withScopes(store, (scope) => {
    if (scope === 'workflow') throw new Error('Deduplication data was originally saved with an incompatible setting');
    return scope;
  });
  expect(await ended(claimsOfProcess().begin(refusing, 'id', '1', true))).toBe('new');
  expect(await ended(claimsOfProcess().begin(refusing, 'id', '2', true))).toBe('open');
});

test('a claim leaves no witness after a minute', async () => {
  const { store } = new SlowRow(() => 1);
  expect(await ended(claimsOfProcess().begin(store, 'id', '1', true))).toBe('new');
  const witness = new KeyRow(1_000, 'workflow');
  expect((await ended(witness.find(store, ['node witness of taken id']))).size).toBe(1);
  await jest.advanceTimersByTimeAsync(61_000);
  expect((await ended(witness.find(store, ['node witness of taken id']))).size).toBe(0);
});

test('never two processes process a delivery, although the database is slow', async () => {
  const seeds = quantity(200, 2_000);
  let neither = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = new Random(seed);
    const { store } = new SlowRow(() => random.integer(1, random.percent(30) ? 500 : 20));
    const begin = async (execution: string) => {
      await sleep(random.integer(0, 30));
      return await claimsOfProcess().begin(store, 'id', execution, true);
    };
    const standings = await ended(Promise.all([begin('1'), begin('2')]));
    const begun = standings.filter((standing) => standing === 'new');
    expect({ seed, isTwice: begun.length > 1 }).toEqual({ seed, isTwice: false });
    if (begun.length === 0) neither += 1;
  }
  // If neither processes it, one of the waiting executions later takes the delivery over.
  expect(neither).toBeLessThanOrEqual(seeds / 100);
});

test('a success stays recorded although both processes write all the time', async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const random = new Random(seed);
    const { store } = new SlowRow(() => random.integer(1, 250));
    const ledger = new DeliveryClaims();
    expect(await ended(ledger.begin(store, 'id', '1', true))).toBe('new');
    const writers = [ledger.marks, ledger.marks, ledger.marks, new Marks()];
    const write = async (marks: Marks, name: number) => {
      for (let count = 0; count < 20; count += 1) await marks.add(store, [`other ${name} ${count}`]);
    };
    ledger.end(store, 'id', '1', true);
    await ended(Promise.all(writers.map(write)));
    await jest.advanceTimersByTimeAsync(20_000);
    expect({ seed, standing: await ended(new DeliveryClaims().begin(store, 'id', '2', true)) }).toEqual({
      seed,
      standing: 'done',
    });
  }
});

describe('100 deliveries with two copies each in two processes', () => {
  const work = async (seed: number, fails: boolean) => {
    let state = seed;
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    jest.spyOn(Math, 'random').mockImplementation(random);
    const row = new SlowRow(() => random() * 10);
    const ledgers = [new DeliveryClaims(), new DeliveryClaims()] as const;
    const succeeded: string[] = [];
    const run = async (ledger: DeliveryClaims, identity: string, execution: string) => {
      const begun = await ledger.begin(row.store, identity, execution, true);
      const standing = begun === 'open' ? await ledger.awaitEnd(row.store, identity, execution) : begun;
      if (standing !== 'new') return;
      await sleep(30);
      const isFailure = fails && execution.startsWith('0');
      if (!isFailure) succeeded.push(identity);
      ledger.end(row.store, identity, execution, !isFailure);
    };
    const all = Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        await sleep(index * 40);
        await Promise.all([
          run(ledgers[0], `id ${index}`, `0 ${index}`),
          sleep((index * 37) % 120).then(async () => await run(ledgers[1], `id ${index}`, `1 ${index}`)),
        ]);
      }),
    );
    await ended(all);
    return succeeded.sort();
  };

  const seeds = Array.from({ length: quantity(5, 100) }, (_, index) => index + 1);
  test.each([false, true])('two processes process each of 100 deliveries once (after a failure: %p)', async (fails) => {
    for (const seed of seeds) {
      const succeeded = await work(seed, fails);
      expect({ seed, count: succeeded.length, different: new Set(succeeded).size }).toEqual({
        seed,
        count: 100,
        different: 100,
      });
    }
  });
});
