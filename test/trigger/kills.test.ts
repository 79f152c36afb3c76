import { sleep } from 'n8n-workflow';

import { bodyOf, call, noted, openTriggerBench, type TriggerBench } from './bench';
import type { HostOptions } from './host';

let bench: TriggerBench;
const open = async (options: HostOptions = {}) => {
  bench = await openTriggerBench({ events: ['*'] }, options);
};

afterEach(async () => await bench.close());

/** Time in milliseconds after which the trigger treats a copy as requested by a user. */
const LATER_MS = 12_000;

const never = async () => await new Promise<void>(() => undefined);

test('an unacknowledged delivery is emitted when the service retries it after n8n was killed', async () => {
  await open();
  bench.host.startMs = 4_000;
  const body = bodyOf(bench);
  const unanswered = call(bench, { body }).catch(() => undefined);
  await sleep(100);
  bench.host.startMs = 0;
  expect((await call(bench)).status).toBe(200);
  await noted(bench);
  await bench.host.restart();
  bench.host.executions.length = 0;
  expect((await call(bench, { body })).data).not.toMatchObject({ duplicate: true });
  expect(await bench.emitted()).toBe(1);
  await unanswered;
});

test('a delivery whose execution was interrupted by a kill is emitted when it is resent', async () => {
  await open();
  bench.host.work = never;
  const body = bodyOf(bench);
  expect((await call(bench, { body })).status).toBe(200);
  await sleep(100);
  await bench.host.restart();
  bench.host.work = async () => await Promise.resolve();
  bench.host.executions.length = 0;
  for (let copy = 0; copy < 2; copy += 1) expect((await call(bench, { body })).status).toBe(200);
  expect(await bench.emitted()).toBe(1);
});

const PROCESSES: Array<[string, HostOptions]> = [
  ['in one process', {}],
  ['in one process of n8n 1', { major: 1 }],
  ['with workers', { workers: true }],
  ['with workers of n8n 1', { workers: true, major: 1 }],
];
const UNSAVED: Array<[string, HostOptions['unsaved']]> = [
  ['', []],
  [' that deletes failed executions', ['error']],
  [' that deletes successful executions', ['success']],
  [' that deletes all executions', ['success', 'error']],
];

test.each(
  PROCESSES.flatMap(([where, options]) =>
    UNSAVED.map(([saves, unsaved]): [string, HostOptions] => [where + saves, { ...options, unsaved }]),
  ),
)('%s, a delivery is emitted again if its execution failed, but not if it succeeded', async (_, options) => {
  await open(options);
  bench.host.work = async () => await Promise.reject(new Error('The CRM is down'));
  const body = bodyOf(bench);
  await call(bench, { body });
  await noted(bench);
  await sleep(LATER_MS);
  bench.host.work = async () => await Promise.resolve();
  expect((await call(bench, { body })).status).toBe(200);
  expect(await bench.emitted()).toBe(2);
  await sleep(LATER_MS);
  expect((await call(bench, { body })).status).toBe(200);
  expect(await bench.emitted()).toBe(2);
  expect(bench.host.problems).toEqual(['The CRM is down']);
});
