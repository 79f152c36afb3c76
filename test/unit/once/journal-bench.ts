import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { DatabaseKeys } from '../../../nodes/PaymentPlatform/once/database-keys';
import type { Account, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { ProcessedData } from '../../processed-data';
import { account } from '../requests';
import { TIMEOUT_MS, type Process } from './keys-bench';

export interface Execution {
  id?: string;
  mode?: string;
  established?: number;
  major?: 1 | 2;
  source?: string;
  workflowId?: string;
  type?: string;
  account?: Partial<Account>;
  isInLoop?: boolean;
  process?: Process;
}

export const request = (item: number, body: IDataObject = { amt_tran: item }): PlannedRequest =>
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

/** Returns requests for rows in this order. The content of a row is its name. */
export const rows = (names: string): PlannedRequest[] =>
  [...names].map((name, item) => ({ ...request(0, { amt_tran: name }), items: [item] }));

export const five = [0, 1, 2, 3, 4].map((item) => request(item));
export const inputOf = (requests: PlannedRequest[]) => requests.map(({ values }) => ({ json: values.body }));
export const retry = (more: Execution = {}): Execution => ({ id: '2', mode: 'retry', ...more });

export const begin = async (keys: DatabaseKeys, requests = five, attempt = '0.0') =>
  await Promise.all(requests.map(async (one) => await keys.begin(one, attempt)));

let workflows = 0;

/** Returns functions that open the journal of executions. Each test has its own database and workflow. */
export function journalBench() {
  const bench = { database: new ProcessedData(), workflowId: '' };
  beforeEach(() => {
    bench.database = new ProcessedData();
    bench.workflowId = `workflow ${(workflows += 1)}`;
  });

  function contextOf(
    { id = '1', mode = 'trigger', established = 1000, major = 2, source, type, ...more }: Execution = {},
    input = inputOf(five),
    helpers: object = bench.database.helpers('row', more.workflowId ?? bench.workflowId),
  ): IExecuteFunctions {
    const kept = {};
    return {
      getWorkflow: () => ({ id: more.workflowId ?? bench.workflowId }),
      getNode: () => ({ id: 'node', name: 'node', type: type ?? 'paymentPlatform', parameters: {} }),
      getParentNodes: () => (more.isInLoop ? [{ name: 'Rows' }, { name: 'Loop' }] : [{ name: 'Rows' }]),
      getChildNodes: () => [{ name: 'Loop' }],
      getMode: () => mode,
      getExecutionId: () => id,
      getExecutionContext: () => ({
        version: 1,
        establishedAt: established,
        source: source ?? 'trigger',
        ...(major === 2 && { triggerNode: { name: 'Start', type: 'start' } }),
      }),
      getInputData: () => input,
      getContext: (name: string) => (name === 'node' ? kept : {}),
      evaluateExpression: () => 0,
      helpers,
    } as unknown as IExecuteFunctions;
  }

  /** Opens the keys of a run that n8n starts in this context. */
  const openIn = (context: IExecuteFunctions, requests = five, { account: changes, process }: Execution = {}) =>
    (process?.DatabaseKeys ?? DatabaseKeys).open(context, { ...account, ...changes }, requests, TIMEOUT_MS);

  const keysOf = (execution: Execution = {}, requests = five, input = inputOf(requests)): DatabaseKeys =>
    openIn(contextOf(execution, input), requests, execution);

  /** Simulates killing n8n: two writes are done, the service refused the third, and the fourth is in progress. */
  async function killed(execution: Execution = {}, requests = five): Promise<void> {
    const keys = keysOf(execution, requests);
    await begin(keys, requests.slice(0, 4));
    for (const [index, outcome] of (['done', 'done', 'refused', 'unknown'] as const).entries()) {
      const one = requests[index];
      if (one) keys.settle(one, outcome);
    }
    await keys.end();
  }

  return Object.assign(bench, { contextOf, openIn, keysOf, killed });
}
