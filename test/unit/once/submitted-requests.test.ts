import type { IDataObject } from 'n8n-workflow';

import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { KeyRow } from '../../../nodes/PaymentPlatform/n8n/key-row';
import { SubmittedRequests } from '../../../nodes/PaymentPlatform/once/submitted-requests';
import { processedData } from '../../processed-data';
import { operationOf } from '../requests';

const DAY_MS = 24 * 60 * 60 * 1000;
const SUBMIT = { value: 'submit', eventsBy: 'request_id' };

interface Changes {
  id?: string | undefined;
  merchantId?: string;
  environment?: 'test' | 'production';
  Class?: typeof SubmittedRequests;
}

/** Each test has its own workflow, because rows write keys again. */
let workflow = 0;
const saved = () => `saved-${workflow}`;

const ask = ({ id = saved(), merchantId = '1', environment = 'test', Class = SubmittedRequests }: Changes = {}) =>
  new Class({ getWorkflow: () => ({ id }), helpers: processedData.helpers(`${id} `) } as never, {
    environment,
    merchantId,
  });
const request = (operation: object = SUBMIT): PlannedRequest =>
  ({ operation: operationOf(operation as never) }) as never;
const records = (...ids: unknown[]) => ids.map((request_id) => ({ request_id })) as IDataObject[];
const keys = () => processedData.rows.get(`${saved()} `) ?? [];
const written = async (id = saved()) =>
  await KeyRow.workflows
    .get(id)
    ?.rows.get('')
    ?.flush(processedData.helpers(`${id} `));

/** Loads the module again, as a new process does. */
function newProcess(): typeof SubmittedRequests {
  let loaded: typeof SubmittedRequests | undefined;
  jest.isolateModules(() => {
    loaded = jest.requireActual<{ SubmittedRequests: typeof SubmittedRequests }>(
      '../../../nodes/PaymentPlatform/once/submitted-requests',
    ).SubmittedRequests;
  });
  return loaded as typeof SubmittedRequests;
}

beforeEach(() => {
  workflow += 1;
  jest.useFakeTimers({ now: DAY_MS * 20_000, doNotFake: ['setTimeout', 'setImmediate', 'nextTick'] });
});
afterEach(() => jest.useRealTimers());

test('a request is recognized by its environment, merchant and workflow', async () => {
  const [node, own] = [ask(), request()];
  await node.begin(own);
  node.recordMade(own, records('7'));
  expect(await ask().isOwn('7')).toBe(true);
  expect(await ask().isOwn('8')).toBe(false);
  expect(await ask({ merchantId: '2' }).isOwn('7')).toBe(false);
  expect(await ask({ environment: 'production' }).isOwn('7')).toBe(false);
  expect(await ask({ id: 'other' }).isOwn('7')).toBe(false);
});

test('only the key of the request remains, with 22 characters', async () => {
  const [node, own] = [ask(), request()];
  await node.begin(own);
  expect(keys()).toEqual([expect.stringMatching(/^[\w-]{22}$/)]);
  const [unfinished] = keys();
  node.recordMade(own, records('7'));
  await written();
  expect(keys()).toEqual([expect.stringMatching(/^[\w-]{22}$/)]);
  expect(keys()).not.toContain(unfinished);
});

test('a number and a text are the same ID, and all records of a response count', async () => {
  const [node, own] = [ask(), request()];
  await node.begin(own);
  node.recordMade(own, records(7, '', '8'));
  expect(await ask().isOwn('7')).toBe(true);
  expect(await ask().isOwn('8')).toBe(true);
  expect(await ask().isOwn('9')).toBe(false);
});

test.each([
  ['requests without events', {}, { value: 'submit' }],
  ['a workflow that is not saved', { id: '' }, SUBMIT],
])('the node records nothing for %s', async (_, changes, operation) => {
  const [node, own] = [ask(changes), request(operation)];
  await node.begin(own);
  expect(keys()).toEqual([]);
  node.recordMade(own, records('7'));
  node.recordRefused(own);
  await written();
  await written('');
  expect(keys()).toEqual([]);
  expect(processedData.rows.get(' ')).toBeUndefined();
});

test('the trigger is uncertain about other requests until each has ended', async () => {
  const [node, first, second] = [ask(), request(), request()];
  await node.begin(first);
  await node.begin(second);
  node.recordMade(second, records('2'));
  expect(await ask().isOwn('2')).toBe(true);
  expect(await ask().isOwn('1')).toBeUndefined();
  node.recordRefused(first);
  expect(await ask().isOwn('1')).toBe(false);
});

test('the end of a request counts once', async () => {
  const [node, first, second] = [ask(), request(), request()];
  await node.begin(first);
  await node.begin(second);
  const remove = jest.spyOn(KeyRow.prototype, 'remove');
  node.recordRefused(first);
  node.recordRefused(first);
  node.recordRefused(request());
  expect(remove.mock.calls.flatMap(([, removed]) => removed)).toEqual([]);
  remove.mockRestore();
  expect(await ask().isOwn('1')).toBeUndefined();
  node.recordRefused(second);
  expect(await ask().isOwn('1')).toBe(false);
});

test('requests can begin again after all have ended', async () => {
  const node = ask();
  for (let round = 0; round < 3; round += 1) {
    const own = request();
    await node.begin(own);
    expect(await ask().isOwn('1')).toBeUndefined();
    node.recordRefused(own);
    expect(await ask().isOwn('1')).toBe(false);
  }
});

test('a response without an ID leaves the trigger uncertain', async () => {
  const [node, own] = [ask(), request()];
  await node.begin(own);
  const other = request();
  await node.begin(other);
  node.recordMade(own, [{}]);
  node.recordMade(other, records('2'));
  await written();
  expect(await ask().isOwn('1')).toBeUndefined();
});

test('the trigger recognizes a request that an earlier execution began', async () => {
  await ask().begin(request());
  ask().recordMade(request(), records('7'));
  expect(await ask().isOwn('7')).toBe(true);
});

test('a later request does not hide that a process was killed during a submission', async () => {
  const [node, earlier] = [ask(), request()];
  await node.begin(earlier);
  node.recordRefused(earlier);
  await written();
  await ask({ Class: newProcess() }).begin(request());
  const lost = [...keys()];
  for (let round = 0; round < 2; round += 1) {
    const own = request();
    await node.begin(own);
    node.recordMade(own, records(round));
  }
  await written();
  expect(await ask().isOwn('9')).toBeUndefined();
  expect(keys()).toEqual(expect.arrayContaining(lost));
});

test('the end of a request does not hide that later processes were killed', async () => {
  const [node, own] = [ask(), request()];
  await node.begin(own);
  for (let processes = 0; processes < 7; processes += 1) await ask({ Class: newProcess() }).begin(request());
  node.recordMade(own, records('3'));
  expect(await ask().isOwn('3')).toBe(true);
  expect(await ask().isOwn('4')).toBeUndefined();
});

test.each([
  ['removes its own key', 1, 1],
  ['leaves the last key, which several processes may share', 5, 6],
])('after other processes took keys, a request %s', async (_, others, left) => {
  for (let processes = 0; processes < others; processes += 1) await ask({ Class: newProcess() }).begin(request());
  const [node, own] = [ask(), request()];
  await node.begin(own);
  expect(keys()).toHaveLength(others + 1);
  node.recordRefused(own);
  await written();
  expect(keys()).toHaveLength(left);
});

test.each([
  [0, undefined],
  [1, undefined],
  [29, undefined],
  [30, false],
  [-1, undefined],
  [-2, false],
])(
  '%d days after a submission without a known end, the trigger knows whether a request is its own: %p',
  async (days, answer) => {
    await ask().begin(request());
    jest.setSystemTime(Date.now() + days * DAY_MS);
    expect(await ask().isOwn('1')).toBe(answer);
  },
);

test('the trigger is certain only while n8n cannot have removed keys', async () => {
  const fill = (count: number) =>
    processedData.rows.set(
      `${saved()} `,
      Array.from({ length: count }, (_, index) => `key ${index}`),
    );
  fill(14_500);
  expect(await ask().isOwn('1')).toBe(false);
  fill(15_000);
  expect(await ask().isOwn('1')).toBeUndefined();
});

test('the trigger recognizes a request although the outcome of another one is unknown', async () => {
  const [node, own] = [ask(), request()];
  await node.begin(own);
  await node.begin(request());
  node.recordMade(own, records('7'));
  expect(await ask().isOwn('7')).toBe(true);
});
