import type { IExecuteFunctions } from 'n8n-workflow';

import { MOST_KEYS } from '../../../nodes/PaymentPlatform/n8n/key-row';
import type * as Keys from '../../../nodes/PaymentPlatform/once/database-keys';
import { isSaved } from '../../../nodes/PaymentPlatform/n8n/lineage';
import { refuseRepeatedKeys } from '../../../nodes/PaymentPlatform/once/once-per-key';
import type { Account, Planned, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { ProcessedData } from '../../processed-data';

const account: Account = {
  environment: 'test',
  baseUrl: 'https://pay.example.com/v1',
  merchantId: '1',
  digestKey: 'key',
};

let database: ProcessedData;
let workflows = 0;
let workflowId: string;
beforeEach(() => {
  database = new ProcessedData();
  workflowId = `workflow ${(workflows += 1)}`;
});

/** Loads a separate copy of the module, which simulates another n8n process. */
function startProcess() {
  let keys: typeof Keys | undefined;
  jest.isolateModules(() => {
    keys = jest.requireActual<typeof Keys>('../../../nodes/PaymentPlatform/once/database-keys');
  });
  if (!keys) throw new Error('The module is there');
  return keys;
}
const first = startProcess();

interface Setting {
  node?: string;
  type?: string;
  mode?: string;
  /** Start of the execution. n8n 1 can lose it. */
  established?: number;
  /** Loop iteration, counted from 0. */
  iteration?: number;
}

const contextOf = (execution: string, id: string | undefined = workflowId, setting: Setting = {}) =>
  ({
    getWorkflow: () => ({ id }),
    getNode: () => ({ id: setting.node ?? 'node', type: setting.type ?? 'paymentPlatform', parameters: {} }),
    getMode: () => setting.mode ?? 'trigger',
    getExecutionContext: () =>
      setting.established && { establishedAt: setting.established, triggerNode: { name: 'Start' } },
    getContext: () => ({ paymentPlatformRounds: { number: setting.iteration ?? 0, own: {}, before: {}, runIndex: 0 } }),
    getInputData: () => [],
    evaluateExpression: () => 0,
    getExecutionId: () => execution,
    helpers: database.helpers('row'),
  }) as unknown as IExecuteFunctions;

const request = (oncePerKey: string | undefined = 'deal', more: object = {}): PlannedRequest =>
  ({
    items: [0],
    part: 0,
    operation: { request: { operationId: 'addCheckout' } },
    options: { oncePerKey },
    method: 'POST',
    path: '/platform/checkout',
    effect: 'writesOnce',
    ...more,
  }) as unknown as PlannedRequest;

const keysOf = (execution = '1', own: Partial<Account> = {}, process = first) =>
  process.DatabaseKeys.open(contextOf(execution), { ...account, ...own }, []);
const memoryWith = (tries = 0, isReleased = false) => ({ openTries: () => tries, isKeyReleased: () => isReleased });
const begin = async (keys: Keys.DatabaseKeys, one = request(), attempt = '0.0', memory = memoryWith()) => {
  const found = await keys.beginKey(one, attempt, memory);
  return typeof found === 'object' ? found.outcome : found;
};

async function did(became: 'done' | 'refused' | 'unknown' = 'done', one = request(), own: Partial<Account> = {}) {
  const keys = keysOf('1', own);
  expect(await begin(keys, one)).toBeUndefined();
  keys.settle(one, became);
  await keys.end();
}

const OPERATIONS = resources
  .flatMap(({ operations }) => operations)
  .filter(({ request: { effect } }) => effect !== 'reads');

test('a key that one operation used is free for every other operation', async () => {
  expect(OPERATIONS.length).toBeGreaterThan(30);
  for (const operation of OPERATIONS) await did('done', request('deal', { operation }));
  const keys = keysOf('2');
  for (const operation of OPERATIONS) expect(await begin(keys, request('deal', { operation }))).toBe('doneBefore');
  await keys.end();
});

test.each([
  ['done', 'doneBefore'],
  ['unknown', 'keyBegun'],
  ['refused', undefined],
] as const)('the next execution learns that a key was %s', async (became, known) => {
  await did(became);
  for (const execution of ['2', '3']) {
    const keys = keysOf(execution);
    expect(await begin(keys)).toBe(known);
    if (known === undefined) keys.settle(request(), 'refused');
    await keys.end();
    if (known === undefined) return;
  }
});

test('keeps a key after a new API key but not for another merchant or address', async () => {
  await did();
  expect(await begin(keysOf('2', { digestKey: 'another', baseUrl: 'https://PAY.example.com:443/v1/' }))).toBe(
    'doneBefore',
  );
  expect(await begin(keysOf('2', { merchantId: '2' }))).toBeUndefined();
  expect(await begin(keysOf('2', { baseUrl: 'https://other.example.com' }))).toBeUndefined();
});

test('distinguishes keys of other operations, steps and paths', async () => {
  await did();
  const api = (path: string) => request('deal', { operation: { request: {} }, path });
  for (const one of [
    request('deal', { operation: { request: { operationId: 'refund' } } }),
    request('deal', { part: 1 }),
    api('/a'),
    api('/b'),
  ])
    expect(await begin(keysOf('2'), one)).toBeUndefined();
});

test('checks no key for reads and items without a key', async () => {
  const keys = keysOf();
  expect(await begin(keys, request('deal', { effect: 'reads' }))).toBeUndefined();
  expect(await begin(keys, request('deal', { options: {} }))).toBeUndefined();
  keys.settle(request(), 'done');
  keys.recordApplied(request('deal', { options: {} }));
  await keys.end();
  expect(database.calls).toBe(0);
});

describe("the user's statement about a key", () => {
  test('sends an item with an unknown key and frees the key after a decline', async () => {
    await did('unknown');
    const one = request();
    const keys = keysOf('2');
    expect(await begin(keys, one, '1.0', memoryWith(0, true))).toBeUndefined();
    keys.settle(one, 'refused');
    await keys.end();
    expect(await begin(keysOf('3'))).toBeUndefined();
  });

  test('an unknown key stays unknown for a tool, whose memory contains no statements', async () => {
    await did('unknown');
    expect(await keysOf('2').beginKey(request(), '1', { openTries: () => 0 })).toBe('keyBegun');
  });

  test('a statement about another write sends no item with an unknown key', async () => {
    await did('unknown');
    for (const attempt of ['0.0', '0.1', '1.0']) expect(await begin(keysOf('2'), request(), attempt)).toBe('keyBegun');
  });

  test('completes the key of an applied item and keeps a completed key', async () => {
    await did('unknown');
    const keys = keysOf('2');
    keys.recordApplied(request());
    await keys.end();
    expect(await begin(keysOf('3'))).toBe('doneBefore');
    expect(await begin(keysOf('3'), request(), '1.0')).toBe('doneBefore');
  });
});

describe('an unknown key in another attempt of the execution that began it', () => {
  const open = (execution: string, setting: Setting = {}) =>
    first.DatabaseKeys.open(contextOf(execution, workflowId, { established: 1000, ...setting }), account, []);
  const began = async () => {
    const keys = open('1');
    expect(await begin(keys)).toBeUndefined();
    keys.settle(request(), 'unknown');
    await keys.end();
  };

  test.each<[string, string, Setting]>([
    ['a retry', '2', { mode: 'retry' }],
    ['Retry On Fail', '1', {}],
  ])('%s sends the item after an approval, and keeps the key unknown after a decline', async (_, id, setting) => {
    await began();
    expect(await begin(open(id, setting), request())).toBe('keyBegun');
    for (let times = 0; times < 3; times += 1) {
      const [keys, one] = [open(id, setting), request()];
      expect(await begin(keys, one, '0.1', memoryWith(1))).toBeUndefined();
      keys.settle(one, 'refused');
      await keys.end();
    }
    expect(await begin(open('3', { established: 2000 }))).toBe('keyBegun');
    const [keys, one] = [open(id, setting), request()];
    expect(await begin(keys, one, '0.1', memoryWith(1))).toBeUndefined();
    keys.settle(one, 'done');
    await keys.end();
    expect(await begin(open(id, setting), one, '0.1')).toBe('doneBefore');
  });

  test.each<[string, string, Setting]>([
    ['another node', '1', { node: 'other' }],
    ['another node of a retry', '2', { mode: 'retry', node: 'other' }],
    ['another loop iteration', '1', { iteration: 1 }],
    ['another execution that began in the same millisecond', '2', {}],
    ['a retry of another execution', '2', { mode: 'retry', established: 2000 }],
    ['a tool', '1', { type: 'paymentPlatformTool' }],
  ])('%s does not send the item after an approval', async (_, id, setting) => {
    await began();
    for (let times = 0; times < 2; times += 1) {
      const keys = open(id, setting);
      expect(await begin(keys, request(), '0.1', memoryWith(1))).toBe('keyBegun');
      await keys.end();
    }
  });
});

describe('parallel executions with keys', () => {
  test('only one of many executions in a process sends an item', async () => {
    const found = await Promise.all(['1', '2', '3', '4'].map(async (execution) => await begin(keysOf(execution))));
    expect(found.filter((one) => one === undefined)).toHaveLength(1);
    expect(found.filter((one) => one === 'keyBegun')).toHaveLength(3);
  });

  const random = (seed: number) => () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };

  test('detects keys overwritten by two processes, so that they rarely both send', async () => {
    const other = startProcess();
    let twice = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      const draw = random(seed);
      database = new ProcessedData(async () => {
        for (let turns = Math.floor(draw() * 20); turns > 0; turns -= 1) await Promise.resolve();
      });
      database.rows.set('row', []);
      workflowId = `two ${seed}`;
      const found = await Promise.all([begin(keysOf('1')), begin(keysOf('2', {}, other))]);
      if (found.every((one) => one === undefined)) twice += 1;
    }
    expect(twice).toBeLessThan(10);
  });

  test('two processes with different keys both send, even if overwritten', async () => {
    const other = startProcess();
    for (let seed = 1; seed <= 50; seed += 1) {
      const draw = random(seed);
      database = new ProcessedData(async () => {
        for (let turns = Math.floor(draw() * 4); turns > 0; turns -= 1) await Promise.resolve();
      });
      database.rows.set('row', []);
      workflowId = `apart ${seed}`;
      const found = await Promise.all([begin(keysOf('1')), begin(keysOf('2', {}, other), request('other'))]);
      // The node may send the write or leave it unsent, but must not report it as done.
      for (const one of found) expect([undefined, 'notSent']).toContain(one);
    }
  });
});

describe("keys that can't be stored", () => {
  test.each([undefined, '', '__EMPTY'])(
    "items whose keys can't be stored send nothing in an unsaved workflow (%j)",
    async (id) => {
      const keys = first.DatabaseKeys.open(contextOf('1', id ?? ''), account, []);
      expect(await begin(keys)).toBe('invalid');
      const planned = refuseRepeatedKeys([{ request: request() }], contextOf('1', id ?? ''));
      expect(planned).toMatchObject([{ failure: { outcome: 'invalid' }, item: 0 }]);
      expect(database.calls).toBe(0);
    },
  );

  test("items whose keys can't be stored may run again after a failure of the database", async () => {
    database.failing = new Error('Connection terminated');
    expect(await begin(keysOf())).toBe('notSent');
  });

  test("items whose keys can't be stored send nothing if the workflow has no row, without further checks", async () => {
    database.failing = new Error('FOREIGN KEY constraint failed');
    const keys = keysOf();
    expect(await begin(keys)).toBe('invalid');
    const { calls } = database;
    expect(await begin(keys)).toBe('invalid');
    expect(database.calls).toBe(calls);
  });
});

test('a database row keeps the latest keys, and drops a key before the mark of its unknown outcome', async () => {
  await did('unknown');
  await did('done', request('later'));
  const row = database.rows.get('row') ?? [];
  const at = (prefix: string) => row.findIndex((one) => one.startsWith(prefix));
  expect(at('key ')).toBeLessThan(at('open '));
  database.rows.set('row', [...row, ...Array.from({ length: MOST_KEYS }, (_, index) => `other ${index}`)]);
  await did('done', request('last'));
  expect(await begin(keysOf('2'), request('last'))).toBe('doneBefore');
  expect(await begin(keysOf('2'), request('later'))).toBeUndefined();
});

describe('rows of one run with the same key', () => {
  const rowsOf = (...planned: Planned[]) => refuseRepeatedKeys(planned, contextOf('1'));
  const row = (item: number, oncePerKey?: string, more: object = {}): Planned => ({
    request: request('', { items: [item], options: { oncePerKey }, ...more }),
  });

  test('only the first of several rows with the same key is sent', () => {
    const planned = [row(0), row(1, 'deal'), row(2, 'other'), row(3), row(4, 'deal'), row(7, 'deal'), row(8, 'other')];
    const sameAs = (first: number) => ({
      outcome: 'doneBefore',
      message: `"Once per Key": row ${first} of this run has the same key, so this row was not sent`,
      advice: 'Use a different key for each row, or remove this row.',
    });
    expect(rowsOf(...planned)).toEqual([
      ...planned.slice(0, 4),
      { failure: sameAs(2), item: 4 },
      { failure: sameAs(2), item: 7 },
      { failure: sameAs(3), item: 8 },
    ]);
  });

  test('keys of reads and invalid rows are not compared', () => {
    const invalid: Planned = { failure: { outcome: 'invalid', message: 'm', advice: '' }, item: 0 };
    const planned = [invalid, row(1, 'deal', { effect: 'reads' }), row(2, 'deal', { effect: 'reads' }), row(3, 'deal')];
    expect(rowsOf(...planned)).toEqual(planned);
  });

  test('a workflow that was never saved refuses only rows with a key', () => {
    const planned = [row(0), row(3, 'deal'), row(4, 'deal', { effect: 'reads' })];
    expect(refuseRepeatedKeys(planned, contextOf('1', '__EMPTY__'))).toEqual([
      planned[0],
      { failure: expect.objectContaining({ outcome: 'invalid' }) as object, item: 3 },
      planned[2],
    ]);
  });
});

test.each([
  [undefined, false],
  ['', false],
  ['__EMPTY__', false],
  ['8a7b', true],
  ['my__EMPTY', true],
])('a workflow with the ID %j is saved: %j', (id, saved) => {
  expect(isSaved(id)).toBe(saved);
});

test('an item that is not sent because of its key gives the reason and advice', async () => {
  const failureOf = async (keys: Keys.DatabaseKeys) => await keys.beginKey(request(), '0.0', memoryWith());
  await did();
  expect(await failureOf(keysOf('2'))).toEqual({
    outcome: 'doneBefore',
    message:
      '"Once per Key": this workflow already completed an item with the same key in this or an earlier execution, so this item was not sent',
    advice: 'To send this item too, use a different key.',
  });
  database.failing = new Error('Connection terminated');
  expect(await failureOf(keysOf('3'))).toEqual({
    outcome: 'notSent',
    message: 'n8n\'s database did not save the key of "Once per Key", so the item was not sent',
    advice: "Run this item again when n8n's database works.",
  });
  expect(await failureOf(first.DatabaseKeys.open(contextOf('4', ''), account, []))).toEqual({
    outcome: 'invalid',
    message: '"Once per Key" works only in a saved workflow',
    advice: 'Save the workflow and run it again.',
  });
});

describe('an item that is done without a request', () => {
  test('an item without a request completes its key, even if an earlier attempt used the key', async () => {
    await did('unknown');
    const keys = keysOf('2');
    expect(await keys.recordKeyDone(request())).toBeUndefined();
    expect(await keys.recordKeyDone(request('other'))).toBeUndefined();
    await keys.end();
    for (const one of [request(), request('other')]) expect(await begin(keysOf('3'), one)).toBe('doneBefore');
  });

  test('an item without a request fails if other processes overwrite its key five times', async () => {
    const check = database.check.bind(database);
    let looks = 0;
    jest.spyOn(database, 'check').mockImplementation(async (keys, ...more) => {
      looks += 1;
      database.rows.set('row', []);
      return await check(keys, ...more);
    });
    expect(await keysOf().recordKeyDone(request())).toMatchObject({ outcome: 'notSent' });
    expect(looks).toBe(5);
  });
});

test('an item is not sent if other processes overwrite its key five times', async () => {
  const check = database.check.bind(database);
  jest.spyOn(database, 'check').mockImplementation(async (keys, ...more) => {
    database.rows.set('row', []);
    return await check(keys, ...more);
  });
  const keys = keysOf();
  expect(await begin(keys)).toBe('notSent');
  await keys.end();
  expect(database.rows.get('row')).toEqual([]);
});

test('keys of one workflow are not written to the row of another', async () => {
  const contextIn = (row: string) => ({ ...contextOf('1', row), helpers: database.helpers(row) }) as IExecuteFunctions;
  for (const row of ['workflow A', 'workflow B'])
    await begin(first.DatabaseKeys.open(contextIn(row), account, []), request(row));
  expect(database.rows.get('workflow B')).toHaveLength(3);
});
