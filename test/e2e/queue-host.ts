import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { QUICK_START } from '../../host/environment';
import { installHost } from '../../host/install';
import { dataFolder } from '../../host/paths';
import { startQueue, type Queue } from '../../host/queue';
import { startSandbox } from '../../sandbox';
import { major, signIn, type Host, type HostOptions } from './host';
import { builtPackage } from './package';

export interface QueueHostOptions extends HostOptions {
  /** Defaults to two. */
  workers?: number;
  webhooks?: number;
}

/** Settings that make n8n detect a dead worker in 15 seconds instead of two minutes (n8n.md#queue-mode). */
export const NOTICE_SOON = {
  QUEUE_WORKER_LOCK_DURATION: '5000',
  QUEUE_WORKER_STALLED_INTERVAL: '3000',
  N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '0.5',
};

/** n8n in queue mode. `n8n` is the main process. */
export interface QueueHost extends Host {
  queue: Queue;
}

/** Starts n8n in queue mode with a main process, workers, webhook processes, PostgreSQL and Redis. */
export async function startQueueHost(options: QueueHostOptions = {}): Promise<QueueHost> {
  const { major: wanted = major, tarball, workers, webhooks } = options;
  const parent = join(dataFolder, 'e2e');
  mkdirSync(parent, { recursive: true });
  const installation = await installHost((message) => process.stderr.write(`${message}\n`), wanted);
  const userFolder = mkdtempSync(join(parent, 'queue-'));
  const started: Array<() => Promise<void>> = [];
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end();
    rmSync(userFolder, { recursive: true, force: true });
  };
  try {
    const sandbox = await startSandbox({ port: 0 });
    started.push(async () => await sandbox.stop());
    const { dist } = builtPackage();
    const env = { ...QUICK_START, ...options.env };
    const queue = await startQueue({ installation, userFolder, tarball, env, extensions: dist, workers, webhooks });
    started.push(queue.stop);
    return { ...(await signIn(queue.main, sandbox, options)), userFolder, queue, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
