import type { IExecuteFunctions } from 'n8n-workflow';

import { file } from '../../../nodes/PaymentPlatform/fields/kinds/file';
import { text } from '../../../nodes/PaymentPlatform/fields/kinds/text';
import type { Operation, Planned, Resource } from '../../../nodes/PaymentPlatform/model/types';
import { prepareRun, requestsOf } from '../../../nodes/PaymentPlatform/run/plan-item';
import { contextOf } from '../context';
import { operationOf } from '../requests';

const credential = {
  environment: 'test',
  baseUrl: 'http://127.0.0.1:1',
  merchantId: '123456789012',
  authMethod: 'apiKey',
  apiKey: 'k',
};

const field = (name: string) => text({ name, label: `The ${name}`, description: '' });

const pdf = file({
  name: 'file',
  label: 'File',
  description: '',
  place: 'body',
  mostBytes: 100,
  mimeType: 'application/pdf',
  kind: 'PDF',
});
const helpers = {
  assertBinaryData: (_: number, id: string) => ({ id, mimeType: 'application/pdf', fileName: `${id}.pdf` }),
  getBinaryMetadata: async () => await Promise.resolve({ fileSize: 5 }),
  getBinaryDataBuffer: async () => await Promise.resolve(Buffer.alloc(5)),
};

interface Given {
  operation?: Partial<Operation>;
  parameters?: object;
  expressions?: Record<string, (item: number) => unknown>;
  inputs?: object[];
  canceled?: AbortSignal;
  timezone?: string;
}

function prepare({
  operation = {},
  parameters = {},
  expressions = {},
  inputs = [{}, {}, {}],
  canceled,
  timezone,
}: Given = {}) {
  const declared = operationOf({ fields: [field('memo')], value: 'create', ...operation });
  const all = { resource: 'invoice', operation: 'create', memo: '=memo', ...parameters };
  const plain = contextOf(all, { expressions: { memo: (item) => `memo ${item}`, ...expressions } });
  const cancelings: Array<() => void> = [];
  const context = {
    ...plain,
    helpers,
    getNode: () => ({ ...plain.getNode(), typeVersion: 1 }),
    getInputData: () => inputs.map((json) => ({ json })),
    getCredentials: async () => await Promise.resolve(credential),
    getExecutionCancelSignal: () => canceled,
    onExecutionCancellation: (cancel: () => void) => void cancelings.push(cancel),
    ...(timezone !== undefined && { getTimezone: () => timezone }),
  } as unknown as IExecuteFunctions;
  const resources = [{ value: 'invoice', operations: [declared] }] as unknown as Resource[];
  return { prepared: prepareRun(context, resources), cancelings, declared };
}

const memoOf = (plan: Planned) => ('request' in plan ? plan.request.values.body.memo : plan.failure.message);

test('plans each item in its order, with the account and the options of the run', async () => {
  const { prepared, declared } = prepare({ parameters: { options: { sending: { timeout: 5 } } } });
  const { items, operation, account, options, rows } = await prepared;
  expect(items.map(memoOf)).toEqual(['memo 0', 'memo 1', 'memo 2']);
  expect(operation).toBe(declared);
  expect(account).toMatchObject({ environment: 'test', merchantId: '123456789012' });
  expect(options).toMatchObject({ timeoutMs: 5000, maxParallelRequests: 20 });
  expect(rows.count).toBe(3);
  expect(rows.names).toBe(rows.names);
  expect((await prepare().prepared).options).toMatchObject({ timeoutMs: 60_000 });
});

test('names the rows by the values that the items send', async () => {
  const operation = { fields: [field('invoice_number')] };
  const { rows } = await prepare({ operation, parameters: { invoice_number: '=memo' }, inputs: [{}, {}] }).prepared;
  expect([...rows.names]).toEqual([
    [0, 'memo 0'],
    [1, 'memo 1'],
  ]);
});

test('fails only an item that the node could not store, and keeps its preview', async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const { prepared } = prepare({ parameters: { options: { previewOnly: true } }, inputs: [{}, circular, {}] });
  const { items } = await prepared;
  expect(items.map((plan) => 'failure' in plan)).toEqual([false, true, false]);
  expect(items.map(({ isPreview }) => isPreview)).toEqual([true, true, true]);
  const { items: sent } = await prepare({ inputs: [circular] }).prepared;
  expect(sent.map(({ isPreview }) => isPreview)).toEqual([false]);
});

test('reads for an item that the node could not store, because it stores nothing for a read', async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const request: Operation['request'] = { method: 'GET', path: '/x', family: 'platform', effect: 'reads' };
  const { items } = await prepare({ operation: { request }, inputs: [circular] }).prepared;
  expect('request' in (items[0] as Planned)).toBe(true);
});

test.each(['multipart', undefined] as const)(
  'reads the facts of files only for a request in parts: %s',
  async (encoding) => {
    const { request } = operationOf({});
    const operation = { fields: [pdf], request: { ...request, ...(encoding && { encoding }) } };
    const { items } = await prepare({ operation, parameters: { file: 'data' }, inputs: [{}] }).prepared;
    const [plan] = items as [Planned];
    const found = 'request' in plan ? plan.request.values.body.file : plan.failure.message;
    if (encoding) expect(found).toMatchObject({ property: 'data', bytes: 5 });
    else expect(found).toMatch(/found "data"/);
  },
);

test('marks only items with the option as previews', async () => {
  const { prepared } = prepare({
    parameters: { options: { previewOnly: '=dry' } },
    expressions: { dry: (item) => [true, false, 'yes'][item] },
  });
  const { items } = await prepared;
  expect(items.map(({ isPreview }) => isPreview)).toEqual([true, false, false]);
  expect(memoOf(items[2] as Planned)).toMatch(/^"Preview Only" must be true or false/);
});

test('refuses an operation or a time zone that does not exist', async () => {
  await expect(prepare({ parameters: { operation: 'other' } }).prepared).rejects.toThrow(
    'The operation "other" of the resource "invoice" does not exist',
  );
  await expect(prepare({ parameters: { resource: 'other' } }).prepared).rejects.toThrow(
    'The operation "create" of the resource "other" does not exist',
  );
  await expect(prepare({ parameters: { operation: undefined } }).prepared).rejects.toMatchObject({
    message: 'The operation "" of the resource "invoice" does not exist',
    description: 'Open the node and choose a resource and an operation.',
  });
  await expect(prepare({ timezone: 'Nowhere/Else' }).prepared).rejects.toThrow(/time zone/i);
});

test('closes the gate when the execution is canceled', async () => {
  const { prepared, cancelings } = prepare();
  const { gate } = await prepared;
  expect(() => gate.assertOpen()).not.toThrow();
  for (const cancel of cancelings) cancel();
  expect(() => gate.assertOpen()).toThrow();
  const canceled = await prepare({ canceled: AbortSignal.abort() }).prepared;
  expect(() => canceled.gate.assertOpen()).toThrow();
});

test('divides the items into shared requests only if the operation takes many', async () => {
  const { prepared, declared } = prepare();
  const { items } = await prepared;
  expect(requestsOf(declared, items)).toBe(items);
});
