import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { DatabaseKeys } from '../../../nodes/PaymentPlatform/once/database-keys';
import { KeyRow, MOST_KEYS } from '../../../nodes/PaymentPlatform/once/key-row';
import type { Account, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
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
  /** Time in milliseconds at which n8n established the execution's context. Undefined in versions without contexts. */
  established?: number;
  /** Major version of n8n. Only n8n 2 provides the start node of the execution. */
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

function keysOf(
  { id = '1', mode = 'trigger', established = 1000, major = 2, source, type, ...more }: Execution = {},
  requests = five,
  input = rowsOf(requests),
): DatabaseKeys {
  const context = {
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
    getContext: () => ({}),
    evaluateExpression: () => 0,
    helpers: database.helpers(more.workflowId ?? workflowId),
  } as unknown as IExecuteFunctions;
  return DatabaseKeys.open(context, { ...account, ...more.account }, requests);
}

const retry = (more: Execution = {}): Execution => ({ id: '2', mode: 'retry', ...more });
const begin = async (keys: DatabaseKeys, requests = five) =>
  await Promise.all(requests.map(async (one) => await keys.begin(one, '0.0')));

/** Kills an execution after two completed writes and one refused write, while the fourth is in progress. */
async function killed(execution: Execution = {}, requests = five) {
  const keys = keysOf(execution, requests);
  const [first, second, third, fourth] = requests as [PlannedRequest, PlannedRequest, PlannedRequest, PlannedRequest];
  await begin(keys, [first, second, third, fourth]);
  keys.settle(first, 'done');
  keys.settle(second, 'done');
  keys.settle(third, 'refused');
  // The process memory of the fourth write is lost with the process.
  keys.settle(fourth, 'unknown');
  await keys.end();
}

const AFTER_KILL = ['done', 'done', undefined, 'begun', undefined];

describe('the journal after a kill', () => {
  test('the journal tells a retry what is done, open, refused or never begun', async () => {
    await killed();
    expect(await begin(keysOf(retry()))).toEqual(AFTER_KILL);
  });

  test('the journal tells a second retry what the first one did', async () => {
    await killed();
    const first = keysOf(retry());
    await begin(first);
    for (const one of [five[2], five[4]]) if (one) first.settle(one, 'done');
    await first.end();
    expect(await begin(keysOf(retry({ id: '3' })))).toEqual(['done', 'done', 'done', 'begun', 'done']);
  });

  test("the journal after a kill isn't changed by reading it", async () => {
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
      // The write was never started, but an earlier item in the same place was.
      'otherContent',
      'begun',
      undefined,
      'done',
      'done',
    ]);
  });

  test('the journal refuses another item in the place of a begun one', async () => {
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

  test('the journal recognizes begun items only by their place after the secret changed', async () => {
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

  test("the journal recognizes a tool's call by what it does", async () => {
    const tool = { type: 'paymentPlatformTool' };
    await killed(tool);
    const keys = keysOf(retry(tool), [{ ...(five[3] as PlannedRequest), items: [0] }]);
    expect(await keys.begin({ ...(five[3] as PlannedRequest), items: [0] }, '0.0')).toBe('begun');
  });
});

describe('the journal in several parallel retries', () => {
  test('lets one of them begin each write', async () => {
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

  test('the journal is missing for an unknown workflow, and a hint says so', async () => {
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
    const many = Array.from({ length: MOST_KEYS }, (_, item) => request(item));
    const keys = keysOf({}, many);
    for (let from = 0; from < many.length; from += 100) {
      const wave = many.slice(from, from + 100);
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
  /** Returns a seeded random number of event loop turns for an access. */
  const random = (seed: number) => () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('lose no key that is kept until it was read again (seed %i)', async (seed) => {
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
        // The request takes longer than a write of the other process.
        for (let turns = 0; turns < 100; turns += 1) await new Promise((resolve) => setImmediate(resolve));
        row.unpin(own);
        await row.flush(store);
      }
    };
    await Promise.all([write(new KeyRow(), 'a'), write(new KeyRow(), 'b')]);
    expect(data.rows.get('row')).toHaveLength(60);
    expect(lost).toBeGreaterThanOrEqual(0);
  });
});

test.each([
  ['secret', { digestKey: 'other' }],
  ['merchant', { merchantId: '2' }],
])('simultaneous calls of a tool after a kill all learn that the credential has another %s', async (_, changed) => {
  const tool: Execution = { type: 'paymentPlatformTool' };
  for (const one of five) await begin(keysOf(tool, [one]), [one]);
  const calls = five.map(async (one) => await begin(keysOf(retry({ ...tool, account: changed }), [one]), [one]));
  expect(await Promise.all(calls)).toEqual(five.map(() => ['otherCredential']));
});
