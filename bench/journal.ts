/**
 * Measures the cost of the journal: refunds at a service that responds immediately, by the same node with and without
 * entries in n8n's database, in turn in one n8n. Also measures the contents of the row after simultaneous executions of
 * the same workflow. Runs without the journal use a node that n8n's helper rejects as part of an unsaved workflow,
 * because the node then continues without the journal. Environment: ITEMS ("1000,10000"), ROUNDS (3, fewer with more
 * items), PARTS ("cost,kept"; "queue" repeats "kept" with two workers).
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { installHost } from '../host/install';
import { dataFolder, root } from '../host/paths';
import { newestMajor, startHost } from '../test/e2e/host';
import { startQueueHost } from '../test/e2e/queue-host';
import { startInstantService, type InstantService } from './instant-service';
import { printCosts } from './journal-cost';
import { printKept } from './journal-kept';
import { postgresRow, sqliteRow } from './journal-row';

const PARTS = (process.env.PARTS ?? 'cost,kept').split(',');
const IN_ONE = PARTS.includes('cost') || PARTS.includes('kept');
const CALLS = join(dataFolder, `processed-data-${process.pid}.txt`);

async function inOneProcess(service: InstantService): Promise<void> {
  const installation = await installHost(() => undefined, newestMajor);
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
