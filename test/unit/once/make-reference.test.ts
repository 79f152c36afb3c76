import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { makeReference } from '../../../nodes/PaymentPlatform/once/make-reference';

const KEPT_STARTS = 10_000;
let starts = 1_790_000_000_000;

interface Attempt {
  id?: string;
  mode?: string;
  start?: number;
  runIndex?: number;
  type?: string;
  nodeId?: string;
  workflowId?: string;
  json?: IDataObject;
  kept?: object;
}

const contextOf = ({ id = '1', mode = 'trigger', runIndex = 0, kept = {}, ...more }: Attempt): IExecuteFunctions => {
  const { start, type = 'paymentPlatform', nodeId = 'node', workflowId = 'workflow', json = { row: 1 } } = more;
  return {
    getNode: () => ({ id: nodeId, type }),
    getWorkflow: () => ({ id: workflowId }),
    getMode: () => mode,
    getExecutionId: () => id,
    getContext: (name: string) => (name === 'node' ? kept : {}),
    getInputData: () => [{ json }, { json }],
    evaluateExpression: () => runIndex,
    getExecutionContext: () => start && { establishedAt: start, triggerNode: { name: 'Form', type: 'form' } },
  } as unknown as IExecuteFunctions;
};
const referenceOf = (attempt: Attempt, item = 0) => makeReference(contextOf(attempt), item);

test('a reference has 20 capital letters and digits', () => {
  expect(referenceOf({ start: (starts += 1) })).toMatch(/^[0-9A-F]{20}$/);
});

test('a reference is the same in every attempt of an item that n8n stored before the nodes ran', () => {
  const start = (starts += 1);
  const first = referenceOf({ start });
  expect(referenceOf({ start })).toBe(first);
  expect(referenceOf({ start, id: '2', mode: 'retry' })).toBe(first);
});

test.each<[string, Attempt, number]>([
  ['item', {}, 1],
  ['content', { json: { row: 2 } }, 0],
  ['node', { nodeId: 'other' }, 0],
  ['workflow', { workflowId: 'other' }, 0],
  ['start', { start: 1_700_000_000_000 }, 0],
])('a reference differs for another %s', (_, change, item) => {
  const start = (starts += 1);
  expect(referenceOf({ start, ...change }, item)).not.toBe(referenceOf({ start }));
});

test("a reference comes from a random seed in the node's context if n8n stored no start", () => {
  const kept: IDataObject = {};
  const first = referenceOf({ kept });
  expect(Object.keys(kept)).toContain('paymentPlatformReferences');
  expect(referenceOf({ kept: structuredClone(kept) })).toBe(first);
  expect(referenceOf({})).not.toBe(first);
});

test("a reference of a tool's call depends on a random seed and on n8n's run", () => {
  const kept: IDataObject = {};
  const call = { type: 'paymentPlatformTool', start: (starts += 1), kept };
  const first = referenceOf(call);
  expect(Object.keys(kept)).toEqual(['paymentPlatformReferences']);
  expect(referenceOf(call)).toBe(first);
  expect(referenceOf({ ...call, runIndex: 1 })).not.toBe(first);
});

test.each([
  ['keeps', KEPT_STARTS - 1, false],
  ['forgets', KEPT_STARTS, true],
])(
  'executions with the same start time get different seeds: the node %s the start after %i others',
  (_, others, isSame) => {
    for (let index = 0; index < KEPT_STARTS; index += 1) referenceOf({ start: (starts += 1) });
    const start = (starts += 1);
    const first = referenceOf({ start, id: '1' });
    for (let index = 0; index < others; index += 1)
      referenceOf(index % 2 ? { start: (starts += 1) } : { start, nodeId: `node ${index}` });
    expect(referenceOf({ start, id: '2' }) === first).toBe(isSame);
  },
);

test('executions of other workflows and nodes with the same start time keep references without a seed', () => {
  const start = (starts += 1);
  for (const other of [{}, { nodeId: 'other' }, { workflowId: 'other' }]) {
    const kept = {};
    referenceOf({ start, id: JSON.stringify(other), kept, ...other });
    expect(kept).not.toHaveProperty('paymentPlatformReferences');
  }
});
