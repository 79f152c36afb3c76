import type { IExecuteFunctions } from 'n8n-workflow';

import { begunPlaces } from '../../../nodes/PaymentPlatform/once/begun-places';
import { DatabaseKeys } from '../../../nodes/PaymentPlatform/once/database-keys';
import { KeyRow } from '../../../nodes/PaymentPlatform/n8n/key-row';
import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { currentRound, endRound } from '../../../nodes/PaymentPlatform/n8n/lineage';
import { ExecutionAccount } from '../../../nodes/PaymentPlatform/once/execution-marks';
import { ProcessedData } from '../../processed-data';
import { begin, five, inputOf, journalBench, request, retry, type Execution } from './journal-bench';
import { account } from '../requests';
import { TIMEOUT_MS, turns } from './keys-bench';

const bench = journalBench();
const { contextOf, keysOf, killed } = bench;

const AFTER_KILL = ['done', 'done', undefined, 'begun', undefined];

describe('the journal after n8n was killed', () => {
  test('a retry reads from the journal which writes are completed, unknown, refused or never started', async () => {
    await killed();
    expect(await begin(keysOf(retry()))).toEqual(AFTER_KILL);
  });

  test('a second retry reads the writes of the first retry from the journal', async () => {
    await killed();
    const first = keysOf(retry());
    await begin(first);
    for (const one of [five[2], five[4]]) if (one) first.settle(one, 'done');
    await first.end();
    expect(await begin(keysOf(retry({ id: '3' })))).toEqual(['done', 'done', 'done', 'begun', 'done']);
  });

  test("reading the journal after n8n was killed doesn't change it", async () => {
    await killed();
    for (const id of ['2', '3', '4']) {
      const keys = keysOf(retry({ id }));
      expect(await begin(keys, five.slice(0, 2))).toEqual(['done', 'done']);
      await keys.end();
    }
    expect(await begin(keysOf(retry({ id: '5' })))).toEqual(AFTER_KILL);
  });

  test('after a second kill during a look-up, a retry reports no write as completed that was never sent', async () => {
    await killed();
    const remove = bench.database.remove.bind(bench.database);
    bench.database.remove = async () => await Promise.resolve();
    await begin(keysOf(retry()), five.slice(0, 1));
    bench.database.remove = remove;
    // The times of a killed process end by then.
    jest.useFakeTimers({ now: Date.now() + 20 * 60_000, doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] });
    expect(await begin(keysOf(retry({ id: '3' })))).toEqual(['begun', 'done', 'begun', 'begun', 'begun']);
    jest.useRealTimers();
  });

  test("the journal doesn't affect a new execution of the same items", async () => {
    await killed();
    expect(await begin(keysOf({ id: '2', established: 2000 }))).toEqual(five.map(() => undefined));
  });

  test('the journal distinguishes two executions that began in the same millisecond', async () => {
    await killed();
    expect(await begin(keysOf({ id: '2' }))).toEqual(five.map(() => undefined));
    expect(await begin(keysOf({ id: '3' }))).toEqual(five.map(() => undefined));
  });

  test('the journal recognizes an execution by its ID if a worker of n8n 1 runs it again', async () => {
    await killed({ major: 1 });
    expect(await begin(keysOf({ major: 1, established: 9000 }))).toEqual(AFTER_KILL);
  });

  test("the journal recognizes a retry in n8n 1 by the execution's context", async () => {
    await killed({ major: 1 });
    expect(await begin(keysOf(retry({ major: 1 })))).toEqual(AFTER_KILL);
  });

  test('without a context, the journal recognizes an n8n 1 retry by content and reports started items as unknown', async () => {
    await killed({ major: 1 });
    const lost = retry({ major: 1, established: 9000, source: 'retry' });
    expect(await begin(keysOf(lost))).toEqual(['sameContent', 'sameContent', undefined, 'sameContent', undefined]);
  });

  test('the journal recognizes reordered items by their content', async () => {
    await killed();
    const turned = [...five].reverse().map((one, item) => ({ ...one, items: [item] }));
    expect(await begin(keysOf(retry(), turned), turned)).toEqual(['otherContent', 'begun', undefined, 'done', 'done']);
  });

  test('the journal refuses all items that it does not contain if a started item is missing', async () => {
    await killed();
    const changed = five.map((one, item) => (item === 3 ? request(item, { amt_tran: 100 }) : one));
    const all = ['done', 'done', 'otherContent', 'otherContent', 'otherContent'];
    expect(await begin(keysOf(retry(), changed), changed)).toEqual(all);
  });

  test('the journal refuses a started item that changed and moved to a later loop iteration', async () => {
    await killed();
    const others = [five[0], five[2], five[1], request(5), request(3, { amt_tran: 100 })] as PlannedRequest[];
    const kept = {};
    const seen: unknown[] = [];
    for (const [iteration, items] of [others.slice(0, 2), others.slice(2, 4), others.slice(4)].entries()) {
      const requests = items.map((one, item) => ({ ...one, items: [item] }));
      const context = Object.assign(contextOf(retry(), inputOf(requests)), {
        getContext: () => kept,
        evaluateExpression: () => iteration,
      });
      seen.push(await begin(DatabaseKeys.open(context, account, requests, TIMEOUT_MS), requests));
      endRound(context);
    }
    expect(seen).toEqual([['done', 'otherContent'], ['done', 'otherContent'], ['otherContent']]);
  });

  test('after the secret changed, the journal recognizes started items only by their position', async () => {
    await killed();
    const [first] = await begin(keysOf(retry({ account: { digestKey: 'other' } })));
    expect(first).toBe('otherContent');
  });

  test('the journal counts equal items', async () => {
    const equal = [0, 1, 2, 3, 4].map((item) => request(item, { amt_tran: 7 }));
    await killed({}, equal);
    expect(await begin(keysOf(retry(), equal), equal)).toEqual(AFTER_KILL);
  });

  test('the journal treats an attempt that the user sent again as a separate write', async () => {
    await killed();
    const keys = keysOf(retry());
    const fourth = five[3] as PlannedRequest;
    expect(await keys.begin(fourth, '0.0')).toBe('begun');
    expect(await keys.begin(fourth, '1.0')).toBeUndefined();
  });

  test("the journal recognizes a tool's call by its effect", async () => {
    const tool = { type: 'paymentPlatformTool' };
    await killed(tool);
    const keys = keysOf(retry(tool), [{ ...(five[3] as PlannedRequest), items: [0] }]);
    expect(await keys.begin({ ...(five[3] as PlannedRequest), items: [0] }, '0.0')).toBe('begun');
  });
});

test('only one of several parallel retries starts each write', async () => {
  await killed();
  const all = await Promise.all(['2', '3', '4'].map(async (id) => await begin(keysOf(retry({ id })))));
  for (const item of [2, 4]) expect(all.filter((one) => one[item] === undefined)).toHaveLength(1);
  for (const item of [0, 1, 3]) expect(all.filter((one) => one[item] === undefined)).toHaveLength(0);
});

describe("the journal in n8n's database", () => {
  test("the journal blocks a write if the database doesn't respond", async () => {
    bench.database.failing = new Error('Connection terminated');
    await expect(keysOf().begin(five[0] as PlannedRequest, '0.0')).rejects.toThrow('Connection terminated');
  });

  test('a write is not checked if the database failed', async () => {
    bench.database.failing = new Error('Connection terminated');
    const keys = keysOf();
    await expect(keys.begin(five[0] as PlannedRequest, '0.0')).rejects.toThrow();
    expect(keys.hasAsked(five[0] as PlannedRequest)).toBe(false);
  });

  test('a hint states that the journal is missing for an unknown workflow', async () => {
    bench.database.failing = new Error('SQLITE_CONSTRAINT: FOREIGN KEY constraint failed');
    const keys = keysOf();
    expect(await begin(keys)).toEqual(five.map(() => undefined));
    expect(keys.hint).toContain('not saved');
  });

  test.each(['', '__EMPTY__'])('the journal isn\'t read for an unsaved workflow with the ID "%s"', async (id) => {
    const keys = keysOf({ workflowId: id });
    expect(await begin(keys)).toEqual(five.map(() => undefined));
    expect(keys.hint).toContain('not saved');
    expect(bench.database.calls).toBe(0);
  });

  test('writes begin in the order of the items, even if a later item needs fewer database calls', async () => {
    await killed();
    const [keys, order] = [keysOf(retry()), [] as number[]];
    const all = five.map(async (one, item) => {
      await keys.begin(one, '0.0');
      order.push(item);
    });
    await Promise.all(all);
    expect(order).toEqual([0, 1, 2, 3, 4]);
  });

  test("a run that recorded nothing doesn't wait for another run's database call", async () => {
    const [waiting, ending] = [keysOf(), keysOf({ id: '2' })];
    bench.database.access = async () => await new Promise<void>(() => undefined);
    void waiting.begin(five[0] as PlannedRequest, '0.0');
    await turns(1);
    expect(await Promise.race([ending.end(), turns(20).then(() => 'waits')])).toBeUndefined();
  });

  test('the node writes to the journal twice per item, and once for items that start together', async () => {
    const keys = keysOf();
    await begin(keys, five.slice(0, 1));
    expect(bench.database.calls).toBe(1);
    keys.settle(five[0] as PlannedRequest, 'done');
    await keys.end();
    expect(bench.database.calls).toBe(2);
    await begin(keys, five.slice(1));
    expect(bench.database.calls).toBe(3);
  });

  test("a missing journal key proves nothing if the execution's first key is missing, too", async () => {
    await killed();
    const row = bench.database.rows.get(bench.workflowId) ?? [];
    bench.database.rows.set(bench.workflowId, row.slice(1));
    const keys = keysOf(retry());
    expect(await begin(keys)).toEqual(['done', 'done', 'forgotten', 'begun', 'forgotten']);
    const [, , , , released] = five;
    expect(await keys.begin(released as PlannedRequest, '1.0')).toBeUndefined();
  });

  /** Begins the items in loop iterations. n8n removes all keys before the iterations in `cutBefore`. */
  async function loop(execution: Execution, iterations: number, cutBefore: number[]) {
    const shared = contextOf({ isInLoop: true, ...execution });
    const seen = [];
    for (let runIndex = 0; runIndex < iterations; runIndex += 1) {
      if (cutBefore.includes(runIndex)) bench.database.rows.set(bench.workflowId, []);
      const keys = bench.openIn({ ...shared, evaluateExpression: () => runIndex } as typeof shared);
      seen.push(new Set(await begin(keys)));
      for (const one of five) keys.settle(one, 'done');
      await keys.end();
      endRound(shared);
    }
    return seen.map((states) => [...states]);
  }
  const [free, forgotten, done] = [[undefined], ['forgotten'], ['done']];

  test.each<Execution['major']>([1, 2])(
    'a loop proves nothing with keys that it recorded after n8n removed its first ones (n8n %s)',
    async (major) => {
      expect(await loop({ major }, 3, [2])).toEqual([free, free, free]);
      expect(await loop(retry({ major }), 3, [])).toEqual([forgotten, forgotten, done]);
      expect(await loop(retry({ major, id: '3' }), 3, [1])).toEqual([forgotten, forgotten, forgotten]);
    },
  );

  test('a loop that n8n killed sends its later items although n8n removed the keys of the first ones', async () => {
    await loop({}, 1, []);
    expect(await loop(retry(), 3, [1, 2])).toEqual([done, free, free]);
  });

  test('each retry of a loop sends the items that no earlier attempt began', async () => {
    await loop({}, 1, []);
    expect(await loop(retry(), 2, [])).toEqual([done, free]);
    expect(await loop(retry({ id: '3' }), 3, [])).toEqual([done, done, free]);
  });
});

describe('two processes that write a row at the same time', () => {
  const random = (seed: number) => () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'two processes that write a row at the same time lose no key of a write in progress (seed %i)',
    async (seed) => {
      const draw = random(seed);
      const data = new ProcessedData(async () => {
        for (let turns = Math.floor(draw() * 20); turns > 0; turns -= 1)
          await new Promise((resolve) => setImmediate(resolve));
      });
      data.rows.set('row', []);
      const store = data.helpers('row');
      let lost = 0;
      const write = async (row: KeyRow, name: string) => {
        for (let wave = 0; wave < 10; wave += 1) {
          const own = [0, 1, 2].map((key) => `${name} ${wave} ${key}`);
          await row.record(store, own);
          row.pin(own, () => (lost += 1));
          // Simulates a request that takes longer than a database write by another process.
          for (let turns = 0; turns < 100; turns += 1) await new Promise((resolve) => setImmediate(resolve));
          row.unpin(own);
          await row.flush(store);
        }
      };
      await Promise.all([write(new KeyRow(), 'a'), write(new KeyRow(), 'b')]);
      expect(data.rows.get('row')).toHaveLength(60);
      expect(lost).toBeGreaterThanOrEqual(0);
    },
  );
});

test.each([
  ['secret', { digestKey: 'other' }],
  ['merchant', { merchantId: '2' }],
])(
  'after n8n was killed, all simultaneous calls of a tool detect that the credential has another %s',
  async (_, changed) => {
    const tool: Execution = { type: 'paymentPlatformTool' };
    for (const one of five) await begin(keysOf(tool, [one]), [one]);
    const calls = five.map(async (one) => await begin(keysOf(retry({ ...tool, account: changed }), [one]), [one]));
    expect(await Promise.all(calls)).toEqual(five.map(() => ['otherCredential']));
  },
);

test.each<[string, Execution, boolean]>([
  ['a new execution in n8n 2', {}, false],
  ['an execution in n8n 1, which another worker may have started', { major: 1 }, true],
  ['a retry', retry(), true],
  ['a retry of a tool', retry({ type: 'paymentPlatformTool' }), false],
])('%s can have earlier attempts: %s', (_, execution, mayBeRetry) => {
  expect(keysOf(execution).mayBeRetry).toBe(mayBeRetry);
});

test('a run records which writes it checked', async () => {
  const keys = keysOf();
  const [first, second] = five as [PlannedRequest, PlannedRequest];
  await keys.begin(first, '0.0');
  expect([keys.hasAsked(first), keys.hasAsked(second)]).toEqual([true, false]);
  expect(keys.hint).toBeUndefined();
});

describe('a write that a retry does not send', () => {
  const [first, , third] = five as [PlannedRequest, PlannedRequest, PlannedRequest];

  test('a write that a retry does not send reports only why the earlier attempt prevents it', async () => {
    await killed();
    for (const id of ['2', '3']) {
      const keys = keysOf(retry({ id }));
      expect([await keys.earlier(first, '0.0'), await keys.earlier(third, '0.0')]).toEqual(['done', undefined]);
      await keys.end();
    }
  });

  test("the first attempt doesn't ask the database about a write", async () => {
    const keys = keysOf();
    expect(await keys.earlier(first, '0.0')).toBeUndefined();
    await keys.end();
    expect(bench.database.calls).toBe(0);
  });
});

test.each<['done' | 'unknown' | 'refused', string | undefined]>([
  ['done', 'done'],
  ['unknown', 'done'],
  ['refused', undefined],
])('a retry treats a write as completed if its record was found: %s', async (outcome, found) => {
  const [first] = five as [PlannedRequest];
  const keys = keysOf();
  await keys.begin(first, '0.0');
  keys.settle(first, outcome);
  keys.recordApplied(first);
  await keys.end();
  expect(await keysOf(retry()).begin(first, '0.0')).toBe(found);
});

describe('a write whose sent values can change between two attempts', () => {
  const footprint = { isIdentifiable: () => false, key: () => 'any' };
  const paying = (customer_id: string) =>
    ({
      ...request(0, { customer_id }),
      operation: { ...request(0).operation, footprint },
    }) as unknown as PlannedRequest;
  /** The input item stays the same, but an expression such as $now changes the values. */
  const keysOfRow = (execution: Execution, one: PlannedRequest) => keysOf(execution, [one], [{ json: { row: 1 } }]);
  const rowAfter = async (outcome: 'done' | 'unknown' | 'refused', one: PlannedRequest) => {
    bench.workflowId += ' again';
    const keys = keysOfRow({}, one);
    await keys.begin(one, '0.0');
    const begun = bench.database.rows.get(bench.workflowId)?.length ?? 0;
    keys.settle(one, outcome);
    await keys.end();
    return { begun, row: bench.database.rows.get(bench.workflowId) };
  };

  test.each<['done' | 'unknown' | 'refused', string, string | undefined]>([
    ['unknown', 'C1', 'begun'],
    ['unknown', 'C2', 'otherValues'],
    ['done', 'C1', 'done'],
    ['done', 'C2', 'doneOther'],
    ['refused', 'C2', undefined],
  ])(
    'a retry of a write that is %s, with the customer %s instead of C1, finds: %s',
    async (outcome, customer, found) => {
      await rowAfter(outcome, paying('C1'));
      expect(await keysOfRow(retry(), paying(customer)).begin(paying(customer), '0.0')).toBe(found);
    },
  );

  test('a retry that n8n killed leaves no proof that an earlier attempt sent its values', async () => {
    await rowAfter('unknown', paying('C1'));
    const remove = bench.database.remove.bind(bench.database);
    bench.database.remove = async () => await Promise.resolve();
    expect(await keysOfRow(retry(), paying('C2')).begin(paying('C2'), '0.0')).toBe('otherValues');
    await turns(50);
    bench.database.remove = remove;
    // The times of a killed process end by then.
    jest.useFakeTimers({ now: Date.now() + 20 * 60_000, doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] });
    expect(await keysOfRow(retry({ id: '3' }), paying('C2')).begin(paying('C2'), '0.0')).toBe('otherValues');
    jest.useRealTimers();
  });

  test.each(['C1', 'C2'])('a second retry knows that the first one sent C2, and not C1: %s', async (customer) => {
    await rowAfter('refused', paying('C1'));
    const keys = keysOfRow(retry(), paying('C2'));
    expect(await keys.begin(paying('C2'), '0.0')).toBeUndefined();
    keys.settle(paying('C2'), 'unknown');
    await keys.end();
    const found = await keysOfRow(retry({ id: '3' }), paying(customer)).begin(paying(customer), '0.0');
    expect(found).toBe(customer === 'C2' ? 'begun' : 'otherValues');
  });

  test('a retry that is killed while it sends has recorded its values', async () => {
    bench.workflowId += ' killed';
    expect(await keysOfRow(retry(), paying('C1')).begin(paying('C1'), '0.0')).toBeUndefined();
    const row = [...(bench.database.rows.get(bench.workflowId) ?? [])];
    KeyRow.workflows.clear();
    bench.database.rows.set(bench.workflowId, row);
    jest.useFakeTimers({ now: Date.now() + 20 * 60_000, doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] });
    expect(await keysOfRow(retry({ id: '3' }), paying('C1')).begin(paying('C1'), '0.0')).toBe('begun');
    jest.useRealTimers();
  });

  test('a single key shows that a write is under way', async () => {
    const { begun, row } = await rowAfter('unknown', paying('C1'));
    expect(row).toHaveLength(begun - 1);
  });
});

describe('a key that several writes use', () => {
  const [first] = five as [PlannedRequest];
  const [equal, another] = [0, 1].map((item) => ({ ...first, items: [item] })) as [PlannedRequest, PlannedRequest];
  const n8n1 = (id: string, established: number): Execution => ({ id, major: 1, established });
  const lost: Execution = { ...retry({ major: 1, established: 9000, source: 'retry' }), id: '3' };

  test('shows the content of a write after the service refused an equal write of another execution', async () => {
    const [one, two] = [keysOf(n8n1('1', 1000)), keysOf(n8n1('2', 2000))];
    expect([await one.begin(first, '0.0'), await two.begin(first, '0.0')]).toEqual([undefined, undefined]);
    one.settle(first, 'refused');
    two.settle(first, 'unknown');
    await Promise.all([one.end(), two.end()]);
    expect(await keysOf(lost).begin(first, '0.0')).toBe('sameContent');
  });

  test('shows the content of a write after the service refused an equal item', async () => {
    const keys = keysOf(n8n1('1', 1000), [equal, another]);
    expect(await begin(keys, [equal, another])).toEqual([undefined, undefined]);
    keys.settle(equal, 'refused');
    keys.settle(another, 'done');
    await keys.end();
    expect(await keysOf(lost, [equal]).begin(equal, '0.0')).toBe('sameContent');
  });

  test('does not show the look-up of an equal item to the look-up or the start of another item', async () => {
    const keys = keysOf(lost, [equal, another]);
    const looks = [equal, another].map(async (one) => await keys.earlier(one, '0.0'));
    expect(await Promise.all([...looks, keys.begin(another, '0.0')])).toEqual([undefined, undefined, undefined]);
  });

  test.each([
    ['done', 'begun'],
    ['refused', 'otherContent'],
  ] as const)('belongs to two executions that began in the same millisecond: one is %s', async (outcome, found) => {
    const [one, two] = [keysOf({ id: '1' }), keysOf({ id: '2' })];
    expect([await one.begin(first, '0.0'), await two.begin(first, '0.0')]).toEqual([undefined, undefined]);
    one.settle(first, outcome);
    two.settle(first, 'unknown');
    await Promise.all([one.end(), two.end()]);
    // The time of the completed write ends by then.
    jest.useFakeTimers({ now: Date.now() + 20 * 60_000, doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] });
    expect(await keysOf(retry({ id: '3' })).begin(first, '0.0')).toBe(found);
    jest.useRealTimers();
  });
});

describe('a retry with another account', () => {
  const [first, , , , fifth] = five as [PlannedRequest, PlannedRequest, PlannedRequest, PlannedRequest, PlannedRequest];
  const merchant = { merchantId: '2' };

  test('a retry with another account sends nothing until a person confirms the account', async () => {
    await killed();
    for (const id of ['2', '3']) {
      const keys = keysOf(retry({ id, account: merchant }));
      expect(await keys.begin(fifth, '0.0')).toBe('otherAccount');
      await keys.end();
    }
    const { code } = new ExecutionAccount(contextOf(retry()), { ...account, ...merchant });
    const confirmed = { ...fifth, options: { ...fifth.options, resolved: new Map([[code, 'notApplied' as const]]) } };
    expect(await keysOf(retry({ id: '4', account: merchant })).begin(confirmed, '0.0')).toBeUndefined();
  });

  const secret = { account: { digestKey: 'other' } };

  test('retries with a new secret after n8n was killed send nothing until a person resolves the item', async () => {
    await killed();
    for (const id of ['2', '3']) {
      const keys = keysOf(retry({ id, ...secret }));
      await keys.recordAccount(five);
      expect([await keys.begin(first, '0.0'), await keys.begin(fifth, '0.0')]).toEqual([
        'otherContent',
        'otherCredential',
      ]);
      await keys.end();
    }
    expect(await keysOf(retry({ id: '4', ...secret })).begin(fifth, '1.0')).toBeUndefined();
  });

  test('every loop iteration of a retry after n8n was killed detects a new secret', async () => {
    await killed();
    const context = contextOf(retry());
    for (let iteration = 0; iteration < 2; iteration += 1) {
      const keys = DatabaseKeys.open(context, { ...account, ...secret.account }, five, TIMEOUT_MS);
      await keys.recordAccount(five);
      expect(await keys.begin(fifth, '0.0')).toBe('otherCredential');
      await keys.end();
    }
  });

  test.each([1, 2] as const)(
    'a retry with a new secret sends the remaining writes if n8n %i kept the context',
    async (major) => {
      const context = contextOf({ major });
      const keys = DatabaseKeys.open(context, account, five, TIMEOUT_MS);
      await keys.begin(first, '0.0');
      keys.settle(first, 'done');
      await keys.end();
      const kept = Object.assign(contextOf(retry({ major })), {
        getContext: (kind: 'node') => context.getContext(kind),
      });
      const retried = DatabaseKeys.open(kept, { ...account, ...secret.account }, five, TIMEOUT_MS);
      await retried.recordAccount(five);
      expect(await retried.begin(fifth, '0.0')).toBeUndefined();
    },
  );

  test('a retry with a new secret sends nothing if n8n 1 lost the positions, until a person states that the item was not applied', async () => {
    await killed({ major: 1 });
    const lost = retry({ major: 1, established: 9000, source: 'retry', ...secret });
    expect(await keysOf(lost).begin(fifth, '0.0')).toBe('otherCredential');
    expect(await keysOf(lost).begin(fifth, '1.0')).toBeUndefined();
  });
});

describe('the account of an execution that was killed before its first write', () => {
  const [first] = five as [PlannedRequest];
  const merchant = { merchantId: '2' };

  test.each<[string, Execution, (id: string) => Execution]>([
    ['n8n 2', {}, (id) => ({ id })],
    // n8n 1 creates a new execution context for each retry.
    ['n8n 1', { major: 1 }, (id) => ({ id, major: 1, established: 9000 + Number(id), source: 'retry' })],
  ])(
    'retries in %s know the account of an execution that was killed before its first write',
    async (_, execution, more) => {
      await keysOf(execution).recordAccount([first]);
      for (const id of ['2', '3']) {
        const keys = keysOf(retry({ ...more(id), account: merchant }));
        await keys.recordAccount([first]);
        expect(await keys.begin(first, '0.0')).toMatch(/^other/);
        await keys.end();
      }
      expect(await keysOf(retry(more('4'))).begin(first, '0.0')).toBeUndefined();
    },
  );

  test('a person can confirm the account of a killed execution in a retry', async () => {
    await keysOf().recordAccount([first]);
    const { code } = new ExecutionAccount(contextOf(retry()), { ...account, ...merchant });
    const resolved = new Map([[code, 'notApplied' as const]]);
    const confirmed = { ...first, options: { ...first.options, resolved } };
    const keys = keysOf(retry({ account: merchant }));
    await keys.recordAccount([confirmed]);
    expect(await keys.begin(confirmed, '0.0')).toBeUndefined();
  });

  test('the account is recorded once for all loop iterations, and for each call of a tool', async () => {
    const twice = async (context: IExecuteFunctions) => {
      const { calls } = bench.database;
      for (const keys of [1, 2].map(() => DatabaseKeys.open(context, account, five, TIMEOUT_MS)))
        await keys.recordAccount([first]);
      return bench.database.calls - calls;
    };
    expect(await twice(contextOf())).toBe(1);
    const recorded = bench.database.rows.get(bench.workflowId);
    expect(recorded?.filter((key) => !/^(first|latest|credential|account|minutes|hour|day|month) /.test(key))).toEqual(
      [],
    );
    expect(await twice(contextOf({ type: 'paymentPlatformTool' }))).toBe(2);
    expect(await twice(contextOf({ workflowId: '' }))).toBe(0);
  });

  test('the first write records the account after a database failure', async () => {
    jest
      .spyOn(bench.database, 'check')
      .mockRejectedValueOnce(new Error('locked'))
      .mockRejectedValueOnce(new Error('locked'));
    const context = contextOf();
    const keys = DatabaseKeys.open(context, account, five, TIMEOUT_MS);
    await keys.recordAccount([first]);
    expect(context.getContext('node')).not.toHaveProperty('paymentPlatformAccountRecorded', true);
    expect(await keys.begin(first, '0.0')).toBeUndefined();
    keys.settle(first, 'refused');
    await keys.end();
    expect(context.getContext('node')).toHaveProperty('paymentPlatformAccountRecorded', true);
    expect(await keysOf(retry({ account: merchant })).begin(first, '0.0')).toBe('otherAccount');
  });

  test('a new secret prevents no write of an execution that began no write', async () => {
    await keysOf().recordAccount([first]);
    expect(await keysOf(retry({ account: { digestKey: 'other' } })).begin(first, '0.0')).toBeUndefined();
  });
});

test('an equal call of a tool is in progress until the first call has an outcome', async () => {
  const tool: Execution = { type: 'paymentPlatformTool', major: 1 };
  const call = { ...(five[3] as PlannedRequest), items: [0] };
  const first = keysOf(tool, [call]);
  const next = async () => await keysOf(tool, [call]).begin(call, '0.0');
  expect(await first.begin(call, '0.0')).toBeUndefined();
  expect(await next()).toBe('underWay');
  first.settle(call, 'unknown');
  await first.end();
  expect(await next()).toBe('begun');
  first.recordApplied(call);
  await first.end();
  expect(await next()).toBe('done');
});

test("a refused call of a tool doesn't remove the keys of an equal call that n8n 2 runs at the same time", async () => {
  const tool: Execution = { type: 'paymentPlatformTool' };
  const call = { ...(five[3] as PlannedRequest), items: [0] };
  const [first, second] = [keysOf(tool, [call]), keysOf(tool, [call])];
  expect(await first.begin(call, '0.0')).toBeUndefined();
  expect(await second.begin(call, '0.0')).toBe('underWay');
  first.settle(call, 'refused');
  await first.end();
  expect(await second.begin(call, '0.0')).toBeUndefined();
  await second.end();
  expect(await keysOf({ ...tool, mode: 'retry' }, [call]).begin(call, '0.0')).not.toBeUndefined();
});

test("the journal is in the node's row, and the keys of Once per Key are in the row of the workflow", async () => {
  const scopes: string[] = [];
  const helpers = {
    checkProcessedAndRecord: async (keys: string[], scope: string) => {
      scopes.push(`record ${scope}`);
      return await Promise.resolve({
        new: scopes.includes('record workflow') && scope === 'workflow' ? [] : keys,
        processed: [],
      });
    },
    removeProcessed: async (_: unknown, scope: string) => await Promise.resolve(void scopes.push(`remove ${scope}`)),
  };
  const keys = DatabaseKeys.open(contextOf({}, [], helpers), account, [], TIMEOUT_MS);
  const one = { ...request(0), options: { ...request(0).options, oncePerKey: 'deal' } };
  await keys.begin(one, '0.0');
  await keys.oncePerKey.recordDone(one);
  keys.settle(one, 'done');
  await keys.end();
  expect([...new Set(scopes)].sort()).toEqual(['record node', 'record workflow', 'remove node', 'remove workflow']);
});

test('a write whose record was found completes its key of Once per Key', async () => {
  const one = { ...request(0), options: { ...request(0).options, oncePerKey: 'deal' } };
  const keys = keysOf({}, [one]);
  expect(await keys.oncePerKey.begin(one, '0.0')).toBeUndefined();
  keys.settle(one, 'unknown');
  keys.recordApplied(one);
  await keys.end();
  const later = keysOf({ id: '2', established: 2000 }, [one]);
  expect(await later.oncePerKey.begin(one, '0.0')).toEqual({ state: 'done' });
});

test.each(['unknown', 'refused'] as const)(
  'only a write of unknown outcome can be completed later: %s',
  async (outcome) => {
    const [one] = five as [PlannedRequest];
    const keys = keysOf();
    await keys.begin(one, '0.0');
    keys.settle(one, outcome);
    keys.recordApplied(one);
    await keys.end();
    const row = bench.database.rows.get(bench.workflowId) ?? [];
    expect(row.some((key) => key.startsWith('done '))).toBe(outcome === 'unknown');
  },
);

describe('an equal write of a later loop iteration', () => {
  const footprint = {
    list: { path: '', identity: 'pg_id', newestBy: 'pg_id' },
    key: () => 'equal',
    isIdentifiable: () => true,
  };
  const equal = { ...request(0), operation: { ...request(0).operation, footprint } } as unknown as PlannedRequest;
  const rounds = (execution: Execution) => {
    const shared = contextOf(execution, inputOf([equal]));
    let runIndex = 0;
    return async () => {
      const context = { ...shared, evaluateExpression: () => runIndex } as typeof shared;
      const keys = DatabaseKeys.open(context, account, [equal], TIMEOUT_MS);
      await keys.giveReferences([]);
      endRound(context);
      runIndex += 1;
      return keys;
    };
  };

  /** Runs three loop iterations, and simulates killing n8n. The service refuses the second write. */
  async function killedLoop() {
    const next = rounds({});
    for (const outcome of ['done', 'refused', 'done'] as const) {
      const keys = await next();
      await keys.begin(equal, '0.0');
      keys.settle(equal, outcome);
      await keys.end();
    }
  }

  test('a retry knows that an earlier attempt began an equal write in a later loop iteration', async () => {
    await killedLoop();
    const rows = structuredClone(bench.database.rows);
    const next = rounds(retry());
    expect(await (await next()).hasEqualElsewhere(equal)).toBe(true);
    expect(await (await next()).hasEqualElsewhere(equal)).toBe(true);
    expect(await (await next()).hasEqualElsewhere(equal)).toBe(false);
    const keys = await next();
    expect(await Promise.all([1, 2].map(async () => await keys.hasEqualElsewhere(equal)))).toEqual([false, false]);
    await keys.begin(equal, '0.0');
    keys.settle(equal, 'refused');
    await keys.end();
    const [before, after] = [rows, bench.database.rows].map((all) => all.get(bench.workflowId) ?? []);
    expect(after?.slice(0, before?.length)).toEqual(before);
  });

  test('a write may have an equal write in a later loop iteration if the database fails', async () => {
    bench.database.failing = new Error('Connection terminated');
    expect(await (await rounds(retry())()).hasEqualElsewhere(equal)).toBe(true);
  });

  test('a new execution and an unsaved workflow have no equal write in a later loop iteration', async () => {
    await killedLoop();
    const { calls } = bench.database;
    expect(await (await rounds({ id: '2' })()).hasEqualElsewhere(equal)).toBe(false);
    expect(await (await rounds(retry({ workflowId: '' }))()).hasEqualElsewhere(equal)).toBe(false);
    expect(bench.database.calls).toBe(calls);
  });
});

describe('a write of another execution with the same record', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const NOON = 20_000 * DAY_MS + DAY_MS / 2;
  const footprint = {
    list: { path: '', identity: 'pg_id', newestBy: 'pg_id' },
    key: () => 'equal',
    isIdentifiable: () => true,
    time: () => undefined,
  };
  const likeOthers = (own: object = footprint, values: object = {}) => {
    const one = request(0);
    const operation = { ...one.operation, footprint: own };
    return { ...one, operation, values: { ...one.values, ...values } } as unknown as PlannedRequest;
  };

  async function open(execution: Execution, one: PlannedRequest) {
    const keys = keysOf(execution, [one]);
    await keys.giveReferences([]);
    return keys;
  }

  /** Each execution begins the write, and n8n is killed before the response arrives. */
  async function begun(executions: Execution[], one = likeOthers(), attempt = '0.0') {
    for (const execution of executions) {
      const keys = await open(execution, one);
      expect(await keys.begin(one, attempt)).toBeUndefined();
      await keys.end();
    }
    KeyRow.workflows.clear();
  }

  async function hasOther(execution: Execution, one = likeOthers(), since = Date.now()) {
    const keys = await open(execution, one);
    await keys.begin(one, '0.0');
    return await keys.hasEqualElsewhere(one, since);
  }

  const two = [{}, { id: '2', established: 2000 }];
  const retries = [retry({ id: '3' }), retry({ id: '4', established: 2000 })];

  beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(NOON));
  afterEach(() => jest.restoreAllMocks());

  test('the retries of two executions find the write of the other', async () => {
    await begun(two);
    expect([await hasOther(retries[0] ?? {}), await hasOther(retries[1] ?? {})]).toEqual([true, true]);
  });

  test('the retries of a single execution find no other write', async () => {
    await begun([{}]);
    for (const id of ['3', '4', '5']) expect(await hasOther(retry({ id }))).toBe(false);
  });

  test.each([
    ['refused', false],
    ['done', true],
  ] as const)('a write that is %s has a record: %s', async (outcome, isOther) => {
    const [first = {}, second = {}] = two;
    const keys = await open(first, likeOthers());
    await keys.begin(likeOthers(), '0.0');
    keys.settle(likeOthers(), outcome);
    await keys.end();
    await begun([second]);
    expect(await hasOther(retries[1] ?? {})).toBe(isOther);
  });

  test.each([
    ['the next day', NOON + DAY_MS, false],
    ['ten minutes later, after midnight', NOON + DAY_MS / 2 + 5 * 60_000, true],
    ['an hour after midnight', NOON + DAY_MS / 2 + 60 * 60_000, false],
  ])('counts by date: another execution begins it %s', async (_, later, isOther) => {
    const [first = {}, second = {}] = two;
    if (later < NOON + DAY_MS) jest.mocked(Date.now).mockReturnValue(NOON + DAY_MS / 2 - 5 * 60_000);
    await begun([first]);
    jest.mocked(Date.now).mockReturnValue(later);
    await begun([second]);
    expect(await hasOther(retries[1] ?? {})).toBe(isOther);
  });

  test('a look-up asks for every day since the write', async () => {
    await begun(two);
    jest.mocked(Date.now).mockReturnValue(NOON + 3 * DAY_MS);
    for (const since of [NOON, NOON - 2 * DAY_MS])
      expect(await hasOther(retries[0] ?? {}, likeOthers(), since)).toBe(true);
    expect(await hasOther(retries[0] ?? {}, likeOthers(), NOON + 2 * DAY_MS)).toBe(false);
    const keys = await open(retries[0] ?? {}, likeOthers());
    expect(await keys.hasEqualElsewhere(likeOthers())).toBe(false);
  });

  test('matters only if its record does not show its own reference', async () => {
    const one = likeOthers(footprint, { reference: { name: 'a', value: 'b', isLasting: true } });
    await begun(two, one);
    expect(await hasOther(retries[0] ?? {}, one)).toBe(false);
  });

  test.each([
    ['has no time', likeOthers({ ...footprint, time: undefined })],
    ['has no order', likeOthers({ ...footprint, list: { ...footprint.list, newestBy: undefined } })],
  ])('matters although its record %s, because an earlier list may have lacked the record', async (_, one) => {
    await begun(two, one);
    expect(await hasOther(retries[0] ?? {}, one)).toBe(true);
  });

  test('an attempt that is refused after an unknown attempt leaves the record to the unknown attempt', async () => {
    const [first = {}, second = {}] = two;
    const keys = await open(first, likeOthers());
    for (const [attempt, outcome] of [
      ['0.0', 'unknown'],
      ['1.0', 'refused'],
    ] as const) {
      expect(await keys.begin(likeOthers(), attempt)).toBeUndefined();
      keys.settle(likeOthers(), outcome);
    }
    await keys.end();
    await begun([second]);
    expect(await hasOther(retries[1] ?? {})).toBe(true);
  });

  test.each([
    ['first', ['refused', 'unknown'], true],
    ['second', ['unknown', 'refused'], true],
    ['first and the second', ['refused', 'refused'], false],
  ] as const)('has a record after the service refused the %s of two equal writes', async (_, ended, isOther) => {
    const [first = {}, second = {}] = two;
    const equal = [0, 1].map((item) => ({ ...likeOthers(), items: [item] }));
    const keys = keysOf(first, equal);
    await keys.giveReferences([]);
    expect(await begin(keys, equal)).toEqual([undefined, undefined]);
    for (const [item, outcome] of ended.entries()) keys.settle(equal[item] as PlannedRequest, outcome);
    await keys.end();
    await begun([second]);
    expect(await hasOther(retries[1] ?? {})).toBe(isOther);
  });

  test.each([
    ['an approved attempt', '1.0', [0]],
    ['the second of two equal writes', '0.0', [1]],
  ])('counts if a retry begins it on another day: %s', async (_, attempt, items) => {
    const [first = {}, second = {}] = two;
    await begun([first]);
    jest.mocked(Date.now).mockReturnValue(NOON + DAY_MS);
    const equal = [0, 1].map((item) => ({ ...likeOthers(), items: [item] }));
    const keys = keysOf(retries[0], equal);
    await keys.giveReferences([]);
    for (const item of items) expect(await keys.begin(equal[item] as PlannedRequest, attempt)).toBeUndefined();
    await keys.end();
    await begun([second]);
    expect(await hasOther(retries[1] ?? {})).toBe(true);
  });

  test.each([
    ['the same key', 'deal', false],
    ['another key', 'other', true],
    ['no key', undefined, true],
  ])('counts by key of Once per Key: another execution has %s', async (_, oncePerKey, isOther) => {
    const [first = {}, second = {}] = two;
    const withKey = (key?: string) => ({ ...likeOthers(), options: { ...request(0).options, oncePerKey: key } });
    await begun([first], withKey('deal') as PlannedRequest);
    await begun([second], withKey(oncePerKey) as PlannedRequest);
    expect(await hasOther(retries[0] ?? {}, withKey('deal') as PlannedRequest)).toBe(isOther);
  });

  test('counts if both executions began in the same millisecond', async () => {
    await begun([{}, { id: '2' }]);
    expect(await hasOther(retry({ id: '3' }))).toBe(true);
  });

  test('may have begun if n8n removed keys of the execution', async () => {
    await begun([{}]);
    for (const [name, keys] of bench.database.rows) bench.database.rows.set(name, keys.slice(1));
    expect(await hasOther(retry({ id: '3' }))).toBe(true);
    const keys = await open(retry({ id: '4' }), likeOthers());
    await keys.begin(likeOthers(), '0.0');
    // Without a start, the search leaves out the other executions.
    expect(await keys.hasEqualElsewhere(likeOthers())).toBe(false);
  });

  test('an approved attempt does not count as another execution', async () => {
    await begun([{}]);
    jest.mocked(Date.now).mockReturnValue(NOON + 60 * 60_000);
    await begun([retry({ id: '3' })], likeOthers(), '1.0');
    expect(await hasOther(retry({ id: '4' }))).toBe(false);
  });
});

describe('positions at which an earlier attempt started a write', () => {
  const begun = async (execution: Execution, items = [0, 1, 2, 3, 4], context = contextOf(execution)) => [
    ...(await begunPlaces(context, items)),
  ];

  test('every retry knows the positions at which an earlier attempt started a write', async () => {
    await killed();
    for (const id of ['2', '3']) expect(await begun(retry({ id }))).toEqual([0, 1, 3]);
    expect(await begin(keysOf(retry({ id: '4' })))).toEqual(AFTER_KILL);
  });

  test('positions of started writes are read only in a retry of a saved workflow with items', async () => {
    await killed();
    await begun(retry());
    const { calls } = bench.database;
    expect(await begun({ id: '2' })).toEqual([]);
    expect(await begun(retry(), [])).toEqual([]);
    expect(await begun(retry({ workflowId: '' }))).toEqual([]);
    expect(await begun(retry({ workflowId: '__EMPTY__' }))).toEqual([]);
    expect(bench.database.calls).toBe(calls);
  });

  test('positions of started writes in a loop are those of the whole execution', async () => {
    await killed();
    const context = contextOf(retry(), inputOf(five.slice(0, 2)));
    await begunPlaces(context, []);
    currentRound(context);
    endRound(context);
    const second = Object.assign(contextOf(retry(), inputOf(five.slice(2))), {
      getContext: (kind: 'node') => context.getContext(kind),
      evaluateExpression: () => 1,
    });
    expect(await begun(retry(), [0, 1, 2], second)).toEqual([1]);
  });

  test('a retry in n8n 1 finds positions of started writes by any name that n8n kept', async () => {
    await killed({ major: 1 });
    expect(await begun(retry({ major: 1 }))).toEqual([0, 1, 3]);
  });

  test('reading positions of started writes changes no keys', async () => {
    await killed();
    const rows = structuredClone(bench.database.rows);
    await begun(retry());
    expect(bench.database.rows).toEqual(rows);
  });

  test("positions of started writes are read after changes to the node's own row", async () => {
    await killed();
    const keys = keysOf(retry());
    const third = five[2] as PlannedRequest;
    await keys.begin(third, '0.0');
    keys.settle(third, 'refused');
    expect(await begun(retry({ id: '3' }))).toEqual([0, 1, 3]);
  });

  test('positions of started writes are read in groups, so that few old keys are lost at a time', async () => {
    await killed();
    expect(await begun(retry())).toEqual([0, 1, 3]);
    const many = Array.from({ length: 1001 }, (_, index) => index);
    let most = 0;
    const check = bench.database.check.bind(bench.database);
    jest.spyOn(bench.database, 'check').mockImplementation(async (keys, ...more) => {
      most = Math.max(most, keys.length);
      return await check(keys, ...more);
    });
    expect(await begun(retry(), many)).toEqual([0, 1, 3]);
    expect(most).toBe(500);
    expect(await begun(retry(), [...many.slice(5, 503), 3, 1, 0])).toEqual([3, 1, 0]);
  });
});
