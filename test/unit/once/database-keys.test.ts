import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { begunPlaces } from '../../../nodes/PaymentPlatform/once/begun-places';
import { DatabaseKeys } from '../../../nodes/PaymentPlatform/once/database-keys';
import { KeyRow, MOST_KEYS } from '../../../nodes/PaymentPlatform/n8n/key-row';
import type { Account, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { currentRound, endRound } from '../../../nodes/PaymentPlatform/n8n/lineage';
import { ExecutionAccount } from '../../../nodes/PaymentPlatform/once/execution-marks';
import { ProcessedData } from '../../processed-data';

const account: Account = {
  environment: 'test',
  baseUrl: 'https://pay.example.com/v1',
  merchantId: '1',
  digestKey: 'key',
};

interface Execution {
  id?: string;
  mode?: string;
  /** Time in milliseconds at which n8n created the execution context. */
  established?: number;
  /** Major version of n8n. Only n8n 2 stores the node that started the execution. */
  major?: 1 | 2;
  source?: string;
  workflowId?: string;
  type?: string;
  account?: Partial<Account>;
}

let database: ProcessedData;
let workflows = 0;
let workflowId: string;
beforeEach(() => {
  database = new ProcessedData();
  workflowId = `workflow ${(workflows += 1)}`;
});

const request = (item: number, body: IDataObject = { amt_tran: item }): PlannedRequest =>
  ({
    items: [item],
    part: 0,
    operation: { value: 'refund', request: { effect: 'writesOnce' }, fields: [] },
    options: { unknownOutcome: 'lookUp', testEnvironmentOnly: false },
    method: 'POST',
    path: `/pg/refund/${item}`,
    effect: 'writesOnce',
    values: { path: {}, query: {}, body, node: {} },
  }) as unknown as PlannedRequest;

const five = [0, 1, 2, 3, 4].map((item) => request(item));
const rowsOf = (requests: PlannedRequest[]) => requests.map(({ values }) => ({ json: values.body }));

function contextOf(
  { id = '1', mode = 'trigger', established = 1000, major = 2, source, type, ...more }: Execution = {},
  input = rowsOf(five),
  helpers: object = database.helpers(more.workflowId ?? workflowId),
): IExecuteFunctions {
  const kept = {};
  return {
    getWorkflow: () => ({ id: more.workflowId ?? workflowId }),
    getNode: () => ({ id: 'node', type: type ?? 'paymentPlatform', parameters: {} }),
    getMode: () => mode,
    getExecutionId: () => id,
    getExecutionContext: () => ({
      version: 1,
      establishedAt: established,
      source: source ?? 'trigger',
      ...(major === 2 && { triggerNode: { name: 'Start', type: 'start' } }),
    }),
    getInputData: () => input,
    getContext: () => kept,
    evaluateExpression: () => 0,
    helpers,
  } as unknown as IExecuteFunctions;
}

const keysOf = (execution: Execution = {}, requests = five, input = rowsOf(requests)): DatabaseKeys =>
  DatabaseKeys.open(contextOf(execution, input), { ...account, ...execution.account }, requests);

const retry = (more: Execution = {}): Execution => ({ id: '2', mode: 'retry', ...more });
const begin = async (keys: DatabaseKeys, requests = five) =>
  await Promise.all(requests.map(async (one) => await keys.begin(one, '0.0')));

/**
 * Simulates a kill of n8n. Two writes are done, the service refused the third write, and the fourth write is in
 * progress.
 */
async function killed(execution: Execution = {}, requests = five) {
  const keys = keysOf(execution, requests);
  const [first, second, third, fourth] = requests as [PlannedRequest, PlannedRequest, PlannedRequest, PlannedRequest];
  await begin(keys, [first, second, third, fourth]);
  keys.settle(first, 'done');
  keys.settle(second, 'done');
  keys.settle(third, 'refused');
  // If n8n is killed, the process loses the fourth write from its memory.
  keys.settle(fourth, 'unknown');
  await keys.end();
}

const AFTER_KILL = ['done', 'done', undefined, 'begun', undefined];

describe('the journal after n8n was killed', () => {
  test('a retry reads from the journal which writes are completed, open, refused or never begun', async () => {
    await killed();
    expect(await begin(keysOf(retry()))).toEqual(AFTER_KILL);
  });

  test('a second retry reads from the journal what the first one did', async () => {
    await killed();
    const first = keysOf(retry());
    await begin(first);
    for (const one of [five[2], five[4]]) if (one) first.settle(one, 'done');
    await first.end();
    expect(await begin(keysOf(retry({ id: '3' })))).toEqual(['done', 'done', 'done', 'begun', 'done']);
  });

  test("the journal after n8n was killed isn't changed by reading it", async () => {
    await killed();
    for (const id of ['2', '3', '4']) {
      const keys = keysOf(retry({ id }));
      expect(await begin(keys, five.slice(0, 2))).toEqual(['done', 'done']);
      await keys.end();
    }
    expect(await begin(keysOf(retry({ id: '5' })))).toEqual(AFTER_KILL);
  });

  test("the journal doesn't affect a new execution of the same items", async () => {
    await killed();
    expect(await begin(keysOf({ id: '2', established: 2000 }))).toEqual(five.map(() => undefined));
  });

  test('the journal distinguishes two executions that began in the same millisecond', async () => {
    await killed();
    expect(await begin(keysOf({ id: '2' }))).toEqual(five.map(() => undefined));
  });

  test('the journal recognizes an execution by its ID if a worker of n8n 1 runs it again', async () => {
    await killed({ major: 1 });
    expect(await begin(keysOf({ major: 1, established: 9000 }))).toEqual(AFTER_KILL);
  });

  test("the journal recognizes a retry in n8n 1 by the execution's context", async () => {
    await killed({ major: 1 });
    expect(await begin(keysOf(retry({ major: 1 })))).toEqual(AFTER_KILL);
  });

  test('the journal recognizes a retry in n8n 1 without a context by content and reports begun items as unknown', async () => {
    await killed({ major: 1 });
    const lost = retry({ major: 1, established: 9000, source: 'retry' });
    expect(await begin(keysOf(lost))).toEqual(['sameContent', 'sameContent', undefined, 'sameContent', undefined]);
  });

  test('the journal recognizes reordered items by their content', async () => {
    await killed();
    const turned = [...five].reverse().map((one, item) => ({ ...one, items: [item] }));
    expect(await begin(keysOf(retry(), turned), turned)).toEqual([
      // The killed execution never sent this item, but started another item at this position.
      'otherContent',
      'begun',
      undefined,
      'done',
      'done',
    ]);
  });

  test('the journal refuses another item at the position of a begun one', async () => {
    await killed();
    const others = five.map((_, item) => request(item, { amt_tran: 100 + item }));
    expect(await begin(keysOf(retry(), others), others)).toEqual([
      'otherContent',
      'otherContent',
      undefined,
      'otherContent',
      undefined,
    ]);
  });

  test('the journal recognizes begun items only by their position after the secret changed', async () => {
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

describe('the journal in several parallel retries', () => {
  test('only one of several parallel retries begins each write', async () => {
    await killed();
    const all = await Promise.all(['2', '3', '4'].map(async (id) => await begin(keysOf(retry({ id })))));
    for (const item of [2, 4]) expect(all.filter((one) => one[item] === undefined)).toHaveLength(1);
    for (const item of [0, 1, 3]) expect(all.filter((one) => one[item] === undefined)).toHaveLength(0);
  });
});

describe("the journal in n8n's database", () => {
  test("the journal blocks a write if the database doesn't respond", async () => {
    database.failing = new Error('Connection terminated');
    await expect(keysOf().begin(five[0] as PlannedRequest, '0.0')).rejects.toThrow('Connection terminated');
  });

  test('a hint states that the journal is missing for an unknown workflow', async () => {
    database.failing = new Error('SQLITE_CONSTRAINT: FOREIGN KEY constraint failed');
    const keys = keysOf();
    expect(await begin(keys)).toEqual(five.map(() => undefined));
    expect(keys.hint).toContain('not saved');
  });

  test.each(['', '__EMPTY__'])('the journal isn\'t read for an unsaved workflow with the ID "%s"', async (id) => {
    const keys = keysOf({ workflowId: id });
    expect(await begin(keys)).toEqual(five.map(() => undefined));
    expect(keys.hint).toContain('not saved');
    expect(database.calls).toBe(0);
  });

  test('the journal is written three times for an item, and once for items that begin together', async () => {
    const keys = keysOf();
    await begin(keys, five.slice(0, 1));
    expect(database.calls).toBe(1);
    keys.settle(five[0] as PlannedRequest, 'done');
    await keys.end();
    expect(database.calls).toBe(3);
    await begin(keys, five.slice(1));
    expect(database.calls).toBe(4);
  });

  test("the journal proves nothing by a missing key if the execution's first key is missing, too", async () => {
    await killed();
    const row = database.rows.get(workflowId) ?? [];
    database.rows.set(workflowId, row.slice(1));
    const keys = keysOf(retry());
    expect(await begin(keys)).toEqual(['done', 'done', 'forgotten', 'begun', 'forgotten']);
    const [, , , , released] = five;
    expect(await keys.begin(released as PlannedRequest, '1.0')).toBeUndefined();
  });

  test('the journal stores no more than the limit of a node', async () => {
    // The journal stores more than two keys per item.
    const many = Array.from({ length: MOST_KEYS / 2 }, (_, item) => request(item));
    const keys = keysOf({}, many);
    for (let from = 0; from < many.length; from += 1000) {
      const wave = many.slice(from, from + 1000);
      await begin(keys, wave);
      for (const one of wave) keys.settle(one, 'done');
    }
    await keys.end();
    expect(database.rows.get(workflowId)?.length).toBeLessThanOrEqual(MOST_KEYS);
    const [first] = await begin(keysOf(retry(), many), many.slice(0, 1));
    expect(first).toBe('forgotten');
  });
});

describe('two processes that write a row at the same time', () => {
  /** Creates a seeded generator of random numbers between 0 and 1. */
  const random = (seed: number) => () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'two processes that write a row at the same time lose no pinned key (seed %i)',
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
          // Simulates a request that takes longer than the other process needs to write the row.
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

test("an attempt is a retry only if a person or n8n repeats the execution and the node isn't a tool", () => {
  expect(
    [keysOf(), keysOf(retry()), keysOf(retry({ type: 'paymentPlatformTool' }))].map(({ isRetry }) => isRetry),
  ).toEqual([false, true, false]);
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
    expect(database.calls).toBe(0);
  });
});

describe('a write of unknown outcome', () => {
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

  test('a retry with a new secret sends the writes that their position identifies', async () => {
    await killed();
    const keys = keysOf(retry({ account: { digestKey: 'other' } }));
    expect([await keys.begin(first, '0.0'), await keys.begin(fifth, '0.0')]).toEqual(['otherContent', undefined]);
  });

  test('a retry with a new secret sends nothing if n8n 1 lost the positions, until a person releases the item', async () => {
    await killed({ major: 1 });
    const lost = retry({ major: 1, established: 9000, source: 'retry', account: { digestKey: 'other' } });
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
      await keysOf(execution).recordAccount(first, '0.0');
      for (const id of ['2', '3']) {
        const keys = keysOf(retry({ ...more(id), account: merchant }));
        await keys.recordAccount(first, '0.0');
        expect(await keys.begin(first, '0.0')).toMatch(/^other/);
        await keys.end();
      }
      expect(await keysOf(retry(more('4'))).begin(first, '0.0')).toBeUndefined();
    },
  );

  test('a person can confirm the account of a killed execution in a retry', async () => {
    await keysOf().recordAccount(first, '0.0');
    const { code } = new ExecutionAccount(contextOf(retry()), { ...account, ...merchant });
    const resolved = new Map([[code, 'notApplied' as const]]);
    const confirmed = { ...first, options: { ...first.options, resolved } };
    const keys = keysOf(retry({ account: merchant }));
    await keys.recordAccount(confirmed, '0.0');
    expect(await keys.begin(confirmed, '0.0')).toBeUndefined();
  });

  test('the account is recorded once for all rounds of a loop, and for each call of a tool', async () => {
    const twice = async (context: IExecuteFunctions) => {
      const { calls } = database;
      for (const keys of [1, 2].map(() => DatabaseKeys.open(context, account, five)))
        await keys.recordAccount(first, '0.0');
      return database.calls - calls;
    };
    expect(await twice(contextOf())).toBe(1);
    expect(await twice(contextOf({ type: 'paymentPlatformTool' }))).toBe(2);
    expect(await twice(contextOf({ workflowId: '' }))).toBe(0);
  });

  test('the first write records the account if the database failed before', async () => {
    jest.spyOn(database, 'check').mockRejectedValueOnce(new Error('locked')).mockRejectedValueOnce(new Error('locked'));
    const context = contextOf();
    const keys = DatabaseKeys.open(context, account, five);
    await keys.recordAccount(first, '0.0');
    expect(context.getContext('node')).not.toHaveProperty('paymentPlatformAccountRecorded', true);
    expect(await keys.begin(first, '0.0')).toBeUndefined();
    keys.settle(first, 'refused');
    await keys.end();
    expect(await keysOf(retry({ account: merchant })).begin(first, '0.0')).toBe('otherAccount');
  });
});

test('an equal call of a tool is in progress until the first one has an outcome', async () => {
  const tool: Execution = { type: 'paymentPlatformTool', major: 1 };
  const call = { ...(five[3] as PlannedRequest), items: [0] };
  const first = keysOf(tool, [call]);
  const next = async () => await keysOf(tool, [call]).begin(call, '0');
  expect(await first.begin(call, '0')).toBeUndefined();
  expect(await next()).toBe('underWay');
  first.settle(call, 'unknown');
  await first.end();
  expect(await next()).toBe('begun');
  first.recordApplied(call);
  await first.end();
  expect(await next()).toBe('done');
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
  const keys = DatabaseKeys.open(contextOf({}, [], helpers), account, []);
  const one = { ...request(0), options: { ...request(0).options, oncePerKey: 'deal' } };
  await keys.begin(one, '0.0');
  await keys.recordKeyDone(one);
  keys.settle(one, 'done');
  await keys.end();
  expect([...new Set(scopes)].sort()).toEqual(['record node', 'record workflow', 'remove node', 'remove workflow']);
});

describe('positions at which an earlier attempt began a write', () => {
  const begun = async (execution: Execution, items = [0, 1, 2, 3, 4], context = contextOf(execution)) => [
    ...(await begunPlaces(context, items)),
  ];

  test('every retry knows the positions at which an earlier attempt began a write', async () => {
    await killed();
    for (const id of ['2', '3']) expect(await begun(retry({ id }))).toEqual([0, 1, 3]);
    expect(await begin(keysOf(retry({ id: '4' })))).toEqual(AFTER_KILL);
  });

  test('begun positions are read only in a retry of a saved workflow with items', async () => {
    await killed();
    const { calls } = database;
    expect(await begun({ id: '2' })).toEqual([]);
    expect(await begun(retry(), [])).toEqual([]);
    expect(await begun(retry({ workflowId: '' }))).toEqual([]);
    expect(await begun(retry({ workflowId: '__EMPTY__' }))).toEqual([]);
    expect(database.calls).toBe(calls);
  });

  test('begun positions in a loop are those of the whole execution', async () => {
    await killed();
    const context = contextOf(retry(), rowsOf(five.slice(0, 2)));
    await begunPlaces(context, []);
    currentRound(context);
    endRound(context);
    const second = Object.assign(contextOf(retry(), rowsOf(five.slice(2))), {
      getContext: (kind: 'node') => context.getContext(kind),
      evaluateExpression: () => 1,
    });
    expect(await begun(retry(), [0, 1, 2], second)).toEqual([1]);
  });

  test('a retry in n8n 1 finds begun positions by any name that n8n kept', async () => {
    await killed({ major: 1 });
    expect(await begun(retry({ major: 1 }))).toEqual([0, 1, 3]);
  });

  test('reading begun positions leaves no keys behind', async () => {
    await killed();
    const rows = structuredClone(database.rows);
    await begun(retry());
    expect(database.rows).toEqual(rows);
  });

  test("begun positions are read after the changes of the node's own row", async () => {
    await killed();
    const keys = keysOf(retry());
    const third = five[2] as PlannedRequest;
    await keys.begin(third, '0.0');
    keys.settle(third, 'refused');
    expect(await begun(retry({ id: '3' }))).toEqual([0, 1, 3]);
  });

  test('begun positions are read in groups, so that few old keys are lost at once', async () => {
    await killed();
    const many = Array.from({ length: 1001 }, (_, index) => index);
    let most = 0;
    const check = database.check.bind(database);
    jest.spyOn(database, 'check').mockImplementation(async (keys, ...more) => {
      most = Math.max(most, keys.length);
      return await check(keys, ...more);
    });
    expect(await begun(retry(), many)).toEqual([0, 1, 3]);
    expect(most).toBe(500);
    expect(await begun(retry(), [...many.slice(5, 503), 3, 1, 0])).toEqual([3, 1, 0]);
  });
});
