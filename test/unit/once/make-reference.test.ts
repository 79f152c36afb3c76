import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { KeyRow, type KeyStore } from '../../../nodes/PaymentPlatform/n8n/key-row';
import { lacksReference, References } from '../../../nodes/PaymentPlatform/once/make-reference';
import { ProcessedData } from '../../processed-data';

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

const requestOf = (item: number, more: object = {}): PlannedRequest =>
  ({
    items: [item],
    operation: { reference: { name: 'merch_ref_num' } },
    values: { body: {}, node: {} },
    ...more,
  }) as unknown as PlannedRequest;
const referenceOf = (
  attempt: Attempt,
  { item = 0, occurrence = 0, key }: { item?: number; occurrence?: number; key?: string } = {},
) => new References(contextOf(attempt)).of(requestOf(item), occurrence, key)?.value;

test('a reference has 20 capital letters and digits, and belongs to the field of the operation', () => {
  const references = new References(contextOf({ start: (starts += 1) }));
  const value = expect.stringMatching(/^[0-9A-F]{20}$/) as string;
  expect(references.of(requestOf(0), 0)).toEqual({ name: 'merch_ref_num', value, isLasting: true });
  expect(references.of(requestOf(0, { operation: {} }), 0)).toBeUndefined();
});

test('no reference contains a run of digits that could be a card number', () => {
  const keys = Array.from({ length: 2000 }, (_, key) => String(key));
  expect(keys.map((key) => referenceOf({ start: 1 }, { key })).filter((one) => /\d{12}/.test(one ?? ''))).toEqual([]);
  expect(referenceOf({ start: 1 }, { key: '51' })).toBe('10488127786A853303D3');
});

test('a reference is the same in every attempt at an item that n8n stored before the nodes ran', () => {
  const start = (starts += 1);
  const first = referenceOf({ start });
  expect(referenceOf({ start })).toBe(first);
  expect(referenceOf({ start, id: '2', mode: 'retry' })).toBe(first);
  expect(referenceOf({ start, runIndex: 3 }, { item: 1 })).toBe(first);
});

test.each<[string, Attempt, object]>([
  ['identical item before', {}, { occurrence: 1 }],
  ['content', { json: { row: 2 } }, {}],
  ['node', { nodeId: 'other' }, {}],
  ['workflow', { workflowId: 'other' }, {}],
  ['start', { start: 1_700_000_000_000 }, {}],
])('a reference differs for another %s', (_, change, of) => {
  const start = (starts += 1);
  expect(referenceOf({ start, ...change }, of)).not.toBe(referenceOf({ start }));
});

test('a key of Once per Key determines the reference in every execution', () => {
  const [one, other] = [referenceOf({ start: 1 }, { key: 'a' }), referenceOf({ start: 2, nodeId: 'b' }, { key: 'a' })];
  expect(other).toBe(one);
  expect(referenceOf({ start: 1 }, { key: 'b' })).not.toBe(one);
});

test("a reference comes from a random seed in the node's context if n8n stored no start", () => {
  const kept: IDataObject = {};
  const first = referenceOf({ kept });
  expect(Object.keys(kept)).toContain('paymentPlatformReferences');
  expect(referenceOf({ kept: structuredClone(kept) })).toBe(first);
  expect(referenceOf({})).not.toBe(first);
});

test('an earlier attempt sent the same reference only if it comes from a key, a stored start or a stored seed', () => {
  const isLasting = (attempt: Attempt, key?: string) =>
    new References(contextOf(attempt)).of(requestOf(0), 0, key)?.isLasting;
  const kept = {};
  expect([isLasting({}, 'key'), isLasting({ start: (starts += 1) })]).toEqual([true, true]);
  expect([isLasting({ kept }), isLasting({ kept })]).toEqual([false, true]);
});

test("a tool's call without an input item gets a reference", () => {
  const call = { type: 'paymentPlatformTool', kept: {} };
  expect(referenceOf(call, { item: 7 })).toMatch(/^[0-9A-F]{20}$/);
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

describe('a seed that n8n lost', () => {
  const check = async (attempt: Attempt, store: object, mayBeRetry = true) => {
    const [references, row, keyStore] = [new References(contextOf(attempt)), new KeyRow(), store as KeyStore];
    await references.check(row, keyStore, mayBeRetry);
    await row.flush(keyStore);
    return references.isLasting;
  };

  test('a retry does not know the references of an execution that used a seed', async () => {
    const start = (starts += 1);
    const store = new ProcessedData().helpers('row');
    expect(await check({ start, id: '1' }, store, false)).toBe(true);
    expect(await check({ start, id: '2', mode: 'retry' }, store)).toBe(true);
    await check({ start, id: '3' }, store, false);
    expect(await check({ start, id: '4', mode: 'retry' }, store)).toBe(false);
    expect(await check({ start: (starts += 1), mode: 'retry' }, store)).toBe(true);
  });

  test("an execution without a stored start records nothing in n8n's database", async () => {
    const database = new ProcessedData();
    for (const mode of ['trigger', 'retry'])
      expect(await check({ mode }, database.helpers('row'), mode === 'retry')).toBe(false);
    expect(database.calls).toBe(0);
  });

  test("an execution that needs a seed fails if n8n's database can't record it", async () => {
    const start = (starts += 1);
    const failing = { checkProcessedAndRecord: async () => await Promise.reject(new Error('locked')) };
    expect(await check({ start, id: '1' }, failing, false)).toBe(true);
    await expect(check({ start, id: '2' }, failing, false)).rejects.toThrow('locked');
  });

  test("a retry does not rely on its references if n8n's database can't be read", async () => {
    const start = (starts += 1);
    const failing = { checkProcessedAndRecord: async () => await Promise.reject(new Error('locked')) };
    expect(await check({ start, mode: 'retry' }, failing)).toBe(false);
    expect(await check({ start, mode: 'retry', kept: { paymentPlatformReferences: 'seed' } }, failing)).toBe(true);
  });
});

test('an item lacks a reference if its field is empty, and for an optional reference only if the user asks for one', () => {
  const lacks = (isOptional: boolean, on: boolean, body: object = {}) =>
    lacksReference(
      requestOf(0, {
        operation: { reference: { name: 'merch_ref_num', isOptional } },
        values: { body, node: { generateReference: on } },
      }),
    );
  expect([lacks(false, false), lacks(true, true), lacks(true, false)]).toEqual([true, true, false]);
  expect(lacks(false, true, { merch_ref_num: 'A1' })).toBe(false);
  expect(lacksReference(requestOf(0, { operation: {} }))).toBe(false);
});
