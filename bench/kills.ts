/**
 * Counts the deliveries that n8n loses or repeats if the receiving process ends under load.
 *
 * Environment variables:
 * - DELIVERIES: deliveries per round (default 1000).
 * - ROUNDS: number of rounds (default 1).
 * - PARALLEL: simultaneous deliveries (default 30).
 * - MAJOR: n8n 2 or 1.
 * - SIGNAL: SIGKILL, SIGTERM or none.
 * - MODE: `single` (one process) or, in queue mode, the receiver: `main` or `queue` (two webhook processes).
 * - KILL_WORKER: 1 to also kill a worker.
 * - DETAILS: 1 to list lost and repeated deliveries.
 */
import { installHost, type HostMajor } from '../host/install';
import type { N8n } from '../host/n8n';
import { startHost, type Host } from '../test/e2e/host';
import { Sender, type Delivery } from '../test/e2e/load';
import { startQueueHost } from '../test/e2e/queue-host';
import { allEnded, fates, postgresRuns, sqliteRuns, tally, type ReadRuns } from '../test/e2e/tally';
import { print } from './table';

const { MODE = 'single', SIGNAL = 'SIGKILL' } = process.env;
const DELIVERIES = Number(process.env.DELIVERIES ?? 1000);
const ROUNDS = Number(process.env.ROUNDS ?? 1);
const PARALLEL = Number(process.env.PARALLEL ?? 30);
const MAJOR = Number(process.env.MAJOR ?? 2) as HostMajor;
const KILL_WORKER = process.env.KILL_WORKER === '1';
const DETAILS = process.env.DETAILS === '1';
/** Fractions of the deliveries after which the benchmark ends the processes. */
const RECEIVER_AT = 0.4;
const WORKER_AT = 0.6;
const END_LIMIT_MS = 300_000;
/** Makes n8n detect dead processes within a minute instead of minutes or hours. */
const NOTICE_SOON = {
  QUEUE_WORKER_LOCK_DURATION: '10000',
  QUEUE_WORKER_STALLED_INTERVAL: '5000',
  N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '0.5',
};
/** Disables pruning, because n8n would delete executions beyond 10,000. */
const KEEP_ALL = { EXECUTIONS_DATA_PRUNE: 'false' };

interface Bench {
  host: Host;
  read: ReadRuns;
  receivers: N8n[];
  workers: N8n[];
}

async function open(): Promise<Bench> {
  if (MODE === 'single') {
    const host = await startHost({ major: MAJOR, env: KEEP_ALL });
    const installation = await installHost(() => undefined, MAJOR);
    return { host, read: sqliteRuns(host.n8n, installation), receivers: [host.n8n], workers: [] };
  }
  const webhooks = MODE === 'queue' ? 2 : 0;
  const host = await startQueueHost({ major: MAJOR, webhooks, env: { ...KEEP_ALL, ...NOTICE_SOON } });
  const { queue } = host;
  const receivers = MODE === 'queue' ? queue.webhooks : [queue.main];
  return { host, read: postgresRuns(queue.database), receivers, workers: queue.workers };
}

async function end(process: N8n, signal: string): Promise<void> {
  if (signal === 'SIGKILL') await process.kill();
  else await process.stop();
  await process.restart();
}

async function round({ read, receivers, workers }: Bench, sender: Sender, index: number) {
  const deliveries: Delivery[] = sender.next(DELIVERIES);
  const endings: Array<Promise<void>> = [];
  let fail: (error: unknown) => void = () => undefined;
  const failure = new Promise<never>((_, reject) => (fail = reject));
  const note = (work: Promise<void>) => {
    endings.push(work);
    work.catch(fail);
  };
  const startedAt = performance.now();
  const delivered = sender.deliver(deliveries, {
    urls: receivers.map(({ baseUrl }) => sender.at(baseUrl)),
    parallel: PARALLEL,
    onStart: (delivery) => {
      const receiver = receivers[index % receivers.length];
      if (receiver && SIGNAL !== 'none' && delivery === Math.floor(DELIVERIES * RECEIVER_AT))
        note(end(receiver, SIGNAL));
      const worker = workers[index % workers.length];
      if (worker && KILL_WORKER && delivery === Math.floor(DELIVERIES * WORKER_AT)) note(end(worker, 'SIGKILL'));
    },
  });
  // Stops if n8n fails, because otherwise the sender would retry forever.
  await Promise.race([delivered, failure]);
  const seconds = (performance.now() - startedAt) / 1000;
  await Promise.race([Promise.all(endings), failure]);
  const ended = await allEnded(read, sender.workflowId, END_LIMIT_MS);
  const runs = read(sender.workflowId);
  if (DETAILS)
    for (const { delivery, done, runs: own } of fates(deliveries, runs))
      if (done !== 1) process.stderr.write(`${JSON.stringify({ ...delivery, body: undefined, own })}\n`);
  const refusals: Record<string, number> = {};
  for (const status of deliveries.flatMap((delivery) => delivery.refusals))
    refusals[status] = (refusals[status] ?? 0) + 1;
  return {
    ...tally(deliveries, runs),
    'per second': (DELIVERIES / seconds).toFixed(1),
    'answers before': JSON.stringify(refusals),
    ...(!ended && { note: 'executions still under way' }),
  };
}

async function main(): Promise<void> {
  const bench = await open();
  try {
    const sender = await Sender.activate(bench.host);
    const worker = KILL_WORKER ? ', a worker killed' : '';
    process.stdout.write(
      `n8n ${MAJOR}, ${MODE}, ${SIGNAL} at ${RECEIVER_AT * DELIVERIES}, ${PARALLEL} in flight${worker}\n`,
    );
    for (let index = 0; index < ROUNDS; index += 1) print(await round(bench, sender, index), index === 0);
  } finally {
    await bench.host.stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
