import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { installHost } from '../../host/install';
import { dataFolder } from '../../host/paths';
import { startQueue, type Queue } from '../../host/queue';
import { startSandbox } from '../../sandbox';
import { newestMajor, signIn, type Host, type HostOptions } from './host';
import { builtPackage } from './package';

export interface QueueHostOptions extends HostOptions {
  /** How many workers, and how many webhook processes: two of each unless given. */
  workers?: number;
  webhooks?: number;
}

/** A host of several processes; `n8n` is main. */
export interface QueueHost extends Host {
  queue: Queue;
}

/** As startHost, in queue mode: with main, workers, webhook processes, a PostgreSQL and a Redis of its own. */
export async function startQueueHost(options: QueueHostOptions = {}): Promise<QueueHost> {
  const { major = newestMajor, tarball, env, workers, webhooks } = options;
  const parent = join(dataFolder, 'e2e');
  mkdirSync(parent, { recursive: true });
  const installation = await installHost((message) => process.stderr.write(`${message}\n`), major);
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
    const queue = await startQueue({ installation, userFolder, tarball, env, extensions: dist, workers, webhooks });
    started.push(queue.stop);
    return { ...(await signIn(queue.main, sandbox, options)), userFolder, queue, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
