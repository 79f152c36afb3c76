import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { ExecutionMemory } from '../../../nodes/PaymentPlatform/once/execution-memory';
import type { ItemOptions, Resolution } from '../../../nodes/PaymentPlatform/model/option-types';
import type { Account, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { endRound } from '../../../nodes/PaymentPlatform/n8n/lineage';
import { account } from '../requests';

export interface Try {
  parameters?: INodeParameters;
  account?: Partial<Account>;
  input?: IDataObject[];
  runIndex?: number;
  mode?: string;
  /** Start of the execution. If n8n lost it, `null`. */
  start?: number | null;
}

/** Creates an execution whose context n8n stores as JSON between attempts. */
export function execution() {
  let kept = {};
  let lastIndex: number | undefined;
  const open = ({ parameters = {}, account: changes = {}, input = [{}], runIndex = 0, ...more }: Try = {}) => {
    const { mode = 'trigger', start = 1000 } = more;
    kept = JSON.parse(JSON.stringify(kept)) as object;
    const context = {
      getContext: (type: string) => {
        if (type !== 'node') throw new Error(`The context "${type}" belongs to all nodes`);
        return kept;
      },
      evaluateExpression: (expression: string) => (expression === '{{ $runIndex }}' ? runIndex : undefined),
      getInputData: () => input.map((json) => ({ json })),
      getMode: () => mode,
      getNode: () => ({ parameters }),
      getExecutionContext: () => (start === null ? undefined : { establishedAt: start, source: 'trigger' }),
    } as unknown as IExecuteFunctions;
    if (lastIndex !== undefined && runIndex > lastIndex) endRound(context);
    lastIndex = runIndex;
    return ExecutionMemory.open(context, { ...account, ...changes });
  };
  return Object.assign(open, {
    text: () => JSON.stringify(kept),
    stored: () => (kept as { paymentPlatformWrites: object }).paymentPlatformWrites,
  });
}

export const operation = { request: {}, fields: [{ name: 'amt_tran', label: 'Amount' }] };

export const request = (changes: Partial<PlannedRequest> = {}): PlannedRequest =>
  ({
    items: [0],
    part: 0,
    operation,
    options: { unknownOutcome: 'lookUp', testEnvironmentOnly: false },
    method: 'POST',
    path: '/pg/refund/1',
    values: { path: { pgIdOrig: '1' }, query: { a: 1 }, body: { amt_tran: 2 }, node: {} },
    ...changes,
  }) as PlannedRequest;

export const withOptions = (options: Partial<ItemOptions>, changes: Partial<PlannedRequest> = {}) =>
  request({ options: { unknownOutcome: 'lookUp', testEnvironmentOnly: false, ...options }, ...changes });
export const resolving = (code: string, finding: Resolution, changes: Partial<PlannedRequest> = {}) =>
  withOptions({ resolved: new Map([[code, finding]]) }, changes);
export const otherAmount = { values: { ...request().values, body: { amt_tran: 3 } } };
export const codeOf = (memory: ExecutionMemory, wanted = request()) => (memory.recall(wanted) as { code: string }).code;

/** Records a write that was sent but got no response, so its outcome is unknown. */
export const leaveOpen = (memory: ExecutionMemory, sent = request()) => {
  expect(memory.recall(sent)).toBeUndefined();
  expect(memory.sending(sent)).toBeUndefined();
};
export const edited: Try = { parameters: { amount: 'edited' } };
