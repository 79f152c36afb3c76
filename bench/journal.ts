/**
 * Measures the cost of the journal, which stores completed writes in n8n's database.
 *
 * Environment variables: ITEMS (default "1000,10000"), ROUNDS (default 3) and PARTS ("cost", "kept" or "queue", default
 * "cost,kept").
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Installation, installHost } from '../host/install';
import type { N8n } from '../host/n8n';
import { dataFolder, root } from '../host/paths';
import type { Execution, WorkflowJson } from '../host/rest';
import type { Postgres } from '../host/services';
import { placeKey } from '../nodes/PaymentPlatform/once/write-keys';
import { type Host, major, startHost } from '../test/e2e/host';
import { startQueueHost } from '../test/e2e/queue-host';
import { own, rowsInto } from '../test/e2e/workflows';
import { median } from './figures';
import { type InstantService, startInstantService } from './instant-service';
import { print } from './table';

interface Row {
  keys: string[];
  bytes: number;
}

type ReadRow = (workflowId: string) => Row;

/** Uses n8n's Node.js version for its SQLite module. */
function sqliteRow(n8n: N8n, installation: Installation): ReadRow {
  const file = join(dirname(n8n.logFile), '.n8n', 'database.sqlite');
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const [file, workflowId] = process.argv.slice(1);
    const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
    const row = database.prepare('SELECT value FROM processed_data WHERE "workflowId" = ?').get(workflowId);
    process.stdout.write(row?.value ?? '');`;
  return (workflowId) => {
    const args = ['--no-warnings', '-e', script, file, workflowId];
    return rowOf(execFileSync(installation.node, args, { encoding: 'utf8', maxBuffer: 2 ** 28 }));
  };
}

function postgresRow(database: Postgres): ReadRow {
  return (workflowId) =>
    rowOf(database.query(`SELECT value FROM processed_data WHERE "workflowId" = '${workflowId}'`)[0]?.[0]);
}

function rowOf(value = ''): Row {
  const { data } = JSON.parse(value || '{ "data": [] }') as { data: string[] };
  return { keys: data, bytes: Buffer.byteLength(value) };
}

interface Kept {
  /** Expected number of keys: two per execution and two per write. */
  expected: number;
  kept: number;
  incomplete: number;
  /**
   * Number of incomplete executions that kept the first key but not the key of the killed write. A retry would treat
   * that write as never started.
   */
  untold: number;
}

function keptOf({ keys }: Row, executions: Execution[], items: number): Kept {
  const there = new Set(keys);
  const has = (key: string) => there.has(createHash('md5').update(key).digest('base64'));
  // Executions that started in the same millisecond share a name.
  const names = [...new Set(executions.map(nameOf))];
  const incomplete = names.filter(
    (name) => !Array.from({ length: items }, (_, item) => placeKey(name, item)).every(has),
  );
  return {
    expected: names.length * (2 + 2 * items),
    kept: keys.length,
    incomplete: incomplete.length,
    untold: incomplete.filter((name) => has(`first ${name}`)).length,
  };
}

function nameOf({ id, data }: Execution): string {
  const { establishedAt } = data.executionData?.runtimeData ?? {};
  if (establishedAt === undefined) throw new Error(`n8n does not say when execution ${id} began`);
  return `context ${establishedAt}`;
}

const LIMIT_MS = 600_000;

const rows = (count: number) =>
  Array.from({ length: count }, (_, row) => ({ id: String(426351789012000000n + BigInt(row)), amount: 4 }));

const refunds = (host: Host, name: string, nodeId: string, count: number): WorkflowJson =>
  rowsInto(
    name,
    rows(count),
    own(
      host,
      'Refund',
      {
        resource: 'transaction',
        operation: 'refund',
        pg_id: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
        amt_tran: '={{ $json.amount }}',
      },
      { id: nodeId },
    ),
  );

/**
 * Returns the node's milliseconds per item.
 * @throws Error if the node didn't complete all items.
 */
function timeOf({ data }: Execution, count: number): number {
  const [run] = data.resultData.runData.Refund ?? [];
  const done = run?.data?.main?.[0]?.length ?? 0;
  if (done !== count) throw new Error(`${done} of ${count} items (${JSON.stringify(run?.error)})`);
  return (run?.executionTime ?? 0) / count;
}

const AT_ONCE = [1, 2, 20];
const ITEMS_AT_ONCE = 50;
const SLOW_MS = 100;

function overlap(executions: Execution[]): number {
  const spans = executions.flatMap(({ data }) => data.resultData.runData.Refund ?? []);
  const at = (moment: number) =>
    spans.filter(({ startTime, executionTime }) => startTime <= moment && moment <= startTime + executionTime).length;
  return Math.max(...spans.map(({ startTime }) => at(startTime)));
}

async function printKept(
  processes: string,
  host: Host,
  service: InstantService,
  read: ReadRow,
  isFirst: boolean,
): Promise<void> {
  service.delay(SLOW_MS);
  for (const [index, count] of AT_ONCE.entries()) {
    const workflowId = await host.rest.saveWorkflow(refunds(host, 'at once', 'noted', ITEMS_AT_ONCE));
    const started = await Promise.all(Array.from({ length: count }, async () => await host.rest.start(workflowId)));
    const executions: Execution[] = [];
    for (const id of started) executions.push(await host.rest.executions.waitFor(id, undefined, LIMIT_MS));
    for (const execution of executions) timeOf(execution, ITEMS_AT_ONCE);
    const { expected, kept: there, incomplete, untold } = keptOf(read(workflowId), executions, ITEMS_AT_ONCE);
    print(
      {
        processes,
        'executions of 50 refunds': count,
        'at the same moment': overlap(executions),
        'keys expected': expected,
        kept: there,
        'executions that lack one': incomplete,
        'and do not say so': untold,
      },
      isFirst && index === 0,
    );
  }
  service.delay(0);
}

const SIZES = (process.env.ITEMS ?? '1000,10000').split(',').map(Number);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const POLL_MS = 2000;

/** Milliseconds per item. Other programs affect processor time least. */
interface Time {
  node: number;
  processor: number;
}

const TICK_MS = 10;

function processorTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) * TICK_MS;
}

async function timed(host: Host, workflowId: string, count: number): Promise<Time> {
  const before = processorTime(host.n8n.pid);
  const execution = await execute(host, workflowId);
  return { node: timeOf(execution, count), processor: (processorTime(host.n8n.pid) - before) / count };
}

/** Polls n8n rarely, because responses take processor time. */
async function execute({ rest }: Host, workflowId: string): Promise<Execution> {
  const id = await rest.start(workflowId);
  for (let waited = 0; waited < LIMIT_MS; waited += POLL_MS) {
    await sleep(POLL_MS);
    const [last] = await rest.executions.list(workflowId);
    if (last && last.id === id && !['new', 'running'].includes(last.status)) break;
  }
  return await rest.executions.waitFor(id);
}

function calls(file: string): { count: number; ms: number } {
  const lines = readFileSync(file, { encoding: 'utf8', flag: 'a+' }).split('\n').slice(0, -1);
  rmSync(file);
  return { count: lines.length, ms: lines.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0) };
}

const roundsOf = (count: number) => Math.ceil((ROUNDS * Math.min(...SIZES)) / count);

interface Times {
  without: Time[];
  noted: Time[];
  calls: Array<ReturnType<typeof calls>>;
}

async function rounds(
  host: Host,
  callsFile: string,
  count: number,
  workflowOf: (isNoted: boolean) => Promise<string>,
): Promise<Times> {
  const times: Times = { without: [], noted: [], calls: [] };
  for (let round = 0; round < roundsOf(count); round += 1) {
    times.without.push(await timed(host, await workflowOf(false), count));
    const workflowId = await workflowOf(true);
    calls(callsFile);
    times.noted.push(await timed(host, workflowId, count));
    times.calls.push(calls(callsFile));
  }
  return times;
}

function printCost(count: number, before: string, times: Times, { keys, bytes }: ReturnType<ReadRow>, first: boolean) {
  const used = median(times.calls.map((one) => one.count));
  const middle = (all: Time[], kind: keyof Time) => median(all.map((time) => time[kind])).toFixed(2);
  const all = (list: Time[]) =>
    list.map(({ node, processor }) => `${node.toFixed(2)} (${processor.toFixed(2)})`).join(', ');
  print(
    {
      refunds: count,
      'row before': before,
      'ms per item without': middle(times.without, 'node'),
      'with the journal': middle(times.noted, 'node'),
      'of the processor without': middle(times.without, 'processor'),
      'and with': middle(times.noted, 'processor'),
      'uses of the helper': used,
      'ms of each': (median(times.calls.map(({ ms }) => ms)) / used).toFixed(1),
      'keys after': keys.length,
      'bytes after': bytes,
      'rounds (processor)': `${all(times.without)}; ${all(times.noted)}`,
    },
    first,
  );
}

async function printCosts(host: Host, read: ReadRow, callsFile: string): Promise<void> {
  const workflow = async (nodeId: string, count: number) =>
    await host.rest.saveWorkflow(refunds(host, nodeId, nodeId, count));
  // Runs the benchmark once as a warm-up.
  for (const nodeId of ['unnoted', 'noted']) await execute(host, await workflow(nodeId, 200));
  let workflowId = '';
  for (const [index, count] of SIZES.entries()) {
    // A new workflow has no journal row.
    const times = await rounds(host, callsFile, count, async (isNoted) => {
      const saved = await workflow(isNoted ? 'noted' : 'unnoted', count);
      if (isNoted) workflowId = saved;
      return saved;
    });
    printCost(count, 'empty', times, read(workflowId), index === 0);
  }
  const [least = 0] = SIZES;
  const before = read(workflowId).keys.length;
  await host.rest.updateWorkflow(workflowId, { nodes: refunds(host, 'noted', 'noted', least).nodes });
  const unnoted = await workflow('unnoted', least);
  const times = await rounds(
    host,
    callsFile,
    least,
    async (isNoted) => await Promise.resolve(isNoted ? workflowId : unnoted),
  );
  printCost(least, `${before} keys`, times, read(workflowId), false);
}

const PARTS = (process.env.PARTS ?? 'cost,kept').split(',');
const IN_ONE = PARTS.includes('cost') || PARTS.includes('kept');
const CALLS = join(dataFolder, `processed-data-${process.pid}.txt`);

async function inOneProcess(service: InstantService): Promise<void> {
  const installation = await installHost(() => undefined, major);
  const env = {
    NODE_OPTIONS: `--require=${join(root, 'bench', 'processed-data.cjs')}`,
    PROCESSED_DATA_CALLS: CALLS,
  };
  const host = await startHost({ credential: { baseUrl: service.baseUrl }, env });
  try {
    const read = sqliteRow(host.n8n, installation);
    if (PARTS.includes('cost')) await printCosts(host, read, CALLS);
    process.stdout.write('\n');
    if (PARTS.includes('kept')) await printKept('one n8n', host, service, read, true);
  } finally {
    await host.stop();
    rmSync(CALLS, { force: true });
  }
}

async function inTwoWorkers(service: InstantService): Promise<void> {
  const host = await startQueueHost({ credential: { baseUrl: service.baseUrl }, workers: 2, webhooks: 0 });
  try {
    await printKept('two workers', host, service, postgresRow(host.queue.database), !IN_ONE);
  } finally {
    await host.stop();
  }
}

async function main(): Promise<void> {
  const service = await startInstantService();
  try {
    if (IN_ONE) await inOneProcess(service);
    if (PARTS.includes('queue')) await inTwoWorkers(service);
  } finally {
    await service.stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
