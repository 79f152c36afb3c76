import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Execution } from '../host/rest';
import type { Host } from '../test/e2e/host';
import { median } from './figures';
import { LIMIT_MS, refunds, timeOf } from './journal-refunds';
import type { ReadRow } from './journal-row';
import { print } from './table';

const SIZES = (process.env.ITEMS ?? '1000,10000').split(',').map(Number);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const POLL_MS = 2000;

/** Milliseconds. `processor` is the processor time of the whole n8n, which other work on the machine affects least. */
interface Time {
  node: number;
  processor: number;
}

/** Length of a clock tick: 10 ms on every Linux that Node.js supports. */
const TICK_MS = 10;

/** Returns the processor time of a process in milliseconds. */
function processorTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) * TICK_MS;
}

/** Executes a workflow. Returns the times per item for `count` items. */
async function timed(host: Host, workflowId: string, count: number): Promise<Time> {
  const before = processorTime(host.n8n.pid);
  const execution = await execute(host, workflowId);
  return { node: timeOf(execution, count), processor: (processorTime(host.n8n.pid) - before) / count };
}

/** Polls rarely, because n8n's responses use the same processor. */
async function execute({ rest }: Host, workflowId: string): Promise<Execution> {
  const id = await rest.start(workflowId);
  for (let waited = 0; waited < LIMIT_MS; waited += POLL_MS) {
    await sleep(POLL_MS);
    const [last] = await rest.executions.list(workflowId);
    if (last && last.id === id && !['new', 'running'].includes(last.status)) break;
  }
  return await rest.executions.waitFor(id);
}

/**
 * Returns the number of calls of n8n's helper since the last check (processed-data.cjs) and their total milliseconds.
 */
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

/** @param workflowOf returns the workflow of a round, with or without the journal. */
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

/**
 * Prints the cost of refunds with and without the journal, with an empty row and with a full one.
 * @param callsFile file in which processed-data.cjs records the calls of n8n's helper.
 */
export async function printCosts(host: Host, read: ReadRow, callsFile: string): Promise<void> {
  const workflow = async (nodeId: string, count: number) =>
    await host.rest.saveWorkflow(refunds(host, nodeId, nodeId, count));
  // Warm-up.
  for (const nodeId of ['unnoted', 'noted']) await execute(host, await workflow(nodeId, 200));
  let workflowId = '';
  for (const [index, count] of SIZES.entries()) {
    // A newly saved workflow has no row.
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
