import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { DatabaseKeys } from '../../../nodes/PaymentPlatform/once/database-keys';
import type * as Keys from '../../../nodes/PaymentPlatform/once/database-keys';
import type { Account, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { ProcessedData } from '../../processed-data';
import { account, operationOf } from '../requests';

export const TIMEOUT_MS = 60_000;

export type Process = typeof Keys;

/** Loads a separate copy of the module, which simulates another n8n process. */
export function startProcess(): Process {
  let keys: Process | undefined;
  jest.isolateModules(() => {
    keys = jest.requireActual<Process>('../../../nodes/PaymentPlatform/once/database-keys');
  });
  if (!keys) throw new Error('The module is there');
  return keys;
}

export const turns = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Returns a function that returns reproducible random numbers. */
export const random = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};

/** Simulates a database that runs one call after another. */
export function inOrder(): ProcessedData {
  const database = new ProcessedData(async () => await turns(1));
  let last: Promise<unknown> = Promise.resolve();
  const afterOthers = <Result>(call: () => Promise<Result>) => {
    const result = last.then(call);
    last = result.catch(() => undefined);
    return result;
  };
  const [check, remove] = [database.check.bind(database), database.remove.bind(database)];
  database.check = async (...given) => await afterOthers(async () => await check(...given));
  database.remove = async (...given) => await afterOthers(async () => await remove(...given));
  return database;
}

/** Simulates a database in which the calls of two processes overlap, so that they overwrite each other's keys. */
export const overlapping = (seed: number): ProcessedData => {
  const draw = random(seed);
  const database = new ProcessedData(async () => {
    for (let left = Math.floor(draw() * 20); left > 0; left -= 1) await Promise.resolve();
  });
  database.rows.set('row', []);
  return database;
};

/** Simulates a database in which some calls take longer than another process waits for them. */
export function slow(seed: number, longestMs: number): ProcessedData {
  const draw = random(seed);
  const database = new ProcessedData(async () => await sleep(draw() < 0.3 ? draw() * longestMs : draw() * 5));
  database.rows.set('row', []);
  return database;
}

/**
 * Makes one call of the database fail. The node repeats a failed call once, so the next one fails too.
 * @param first number of the call, from 1.
 * @returns a function that repairs the database.
 */
export function failAt(database: ProcessedData, first: number): () => void {
  const check = database.check.bind(database);
  let calls = 0;
  database.check = async (...given) => {
    calls += 1;
    if (calls === first || calls === first + 1) throw new Error("n8n's database failed");
    return await check(...given);
  };
  return () => (database.check = check);
}

export interface Setting {
  node?: string;
  type?: string;
  mode?: string;
  /** Start of the execution. n8n 1 can lose it. */
  established?: number;
  /** Loop iteration, counted from 0. */
  iteration?: number;
  account?: Partial<Account>;
  process?: Process;
  workflowId?: string;
}

/** Checkout link with a key. Only `more` differs from other links. */
export const keyed = (oncePerKey: string | undefined = 'deal', more: object = {}): PlannedRequest =>
  ({
    items: [0],
    part: 0,
    operation: operationOf({
      value: 'create',
      request: {
        ...{ method: 'POST', path: '/platform/checkout', family: 'platform', effect: 'writesOnce' },
        operationId: 'addCheckout',
      },
    }),
    options: { oncePerKey, unknownOutcome: 'lookUp' },
    values: { path: {}, query: {}, body: { amt_tran: 25, customer_id: 'C1' }, node: {} },
    method: 'POST',
    path: '/platform/checkout',
    effect: 'writesOnce',
    ...more,
  }) as unknown as PlannedRequest;

export const withBody = (body: IDataObject, oncePerKey?: string) =>
  keyed(oncePerKey, { values: { path: {}, query: {}, body, node: {} } });

/** Returns a person's option that resolves an attempt. */
export const resolving = (code: string, finding: 'applied' | 'notApplied' = 'notApplied', oncePerKey = 'deal') =>
  keyed(oncePerKey, { options: { oncePerKey, unknownOutcome: 'lookUp', resolved: new Map([[code, finding]]) } });

let workflows = 0;

/** Returns functions that open the keys of executions. Each test has its own database and workflow. */
export function keysBench() {
  const bench = { database: new ProcessedData(), workflowId: '' };
  beforeEach(() => {
    bench.database = new ProcessedData();
    bench.workflowId = `workflow ${(workflows += 1)}`;
  });
  const contextOf = (execution: string, setting: Setting = {}): IExecuteFunctions => {
    const kept = { paymentPlatformRounds: { number: setting.iteration ?? 0, own: {}, before: {}, runIndex: 0 } };
    const { node: name = 'node', established } = setting;
    return {
      getWorkflow: () => ({ id: setting.workflowId ?? bench.workflowId }),
      getNode: () => ({ id: name, name, type: setting.type ?? 'paymentPlatform', parameters: {} }),
      getMode: () => setting.mode ?? 'trigger',
      getExecutionContext: () => established && { establishedAt: established, triggerNode: { name: 'Start' } },
      getContext: () => kept,
      getInputData: () => [],
      evaluateExpression: () => 0,
      getExecutionId: () => execution,
      helpers: bench.database.helpers('row', `row of ${name}`),
    } as unknown as IExecuteFunctions;
  };
  const open = (execution = '1', setting: Setting = {}, requests: PlannedRequest[] = []) =>
    (setting.process?.DatabaseKeys ?? DatabaseKeys).open(
      contextOf(execution, setting),
      { ...account, ...setting.account },
      requests,
      TIMEOUT_MS,
    );
  return Object.assign(bench, { contextOf, open });
}

/** Returns what prevents the node from sending a write with a key, or `undefined` if the node may send the write. */
export async function stateOf(keys: DatabaseKeys, one = keyed(), attempt = '0.0'): Promise<string | undefined> {
  const found = await keys.oncePerKey.begin(one, attempt);
  return found && ('state' in found ? found.state : found.outcome);
}

/** Returns the state of a key with an unknown outcome. */
export async function unknownKey(keys: DatabaseKeys, one = keyed(), attempt = '0.0') {
  const found = await keys.oncePerKey.begin(one, attempt);
  if (!found || !('state' in found) || found.state !== 'unknown') throw new Error('The outcome is known');
  return found;
}

/** Returns what a second attempt at a key with an unknown outcome finds out before it sends. */
export async function resume(keys: DatabaseKeys, one = keyed(), attempt = '0.0'): Promise<string | undefined> {
  const found = await (await unknownKey(keys, one, attempt)).resume();
  return found && ('state' in found ? found.state : found.outcome);
}

/** Runs an attempt of an execution that ends with an outcome. */
export async function settled(
  keys: DatabaseKeys,
  outcome: 'done' | 'refused' | 'unknown',
  one = keyed(),
): Promise<void> {
  expect(await stateOf(keys, one)).toBeUndefined();
  keys.settle(one, outcome);
  await keys.end();
}
