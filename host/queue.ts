import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { startN8n, type N8n, type N8nOptions } from './n8n';
import { freePort } from './ports';
import { startPostgres, startRedis, type Postgres } from './services';

export interface QueueOptions extends Omit<N8nOptions, 'port' | 'command'> {
  /** Defaults to two. */
  workers?: number;
  /** Defaults to 2. With 0, the main process receives webhooks. */
  webhooks?: number;
}

export interface Queue {
  main: N8n;
  workers: N8n[];
  webhooks: N8n[];
  database: Postgres;
  stop: () => Promise<void>;
}

/**
 * Starts n8n in queue mode with PostgreSQL and Redis.
 * @throws Error if a program is missing or a process doesn't start.
 */
export async function startQueue(options: QueueOptions): Promise<Queue> {
  const { workers = 2, webhooks = 2 } = options;
  const started: Array<() => Promise<void>> = [];
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end();
  };
  try {
    const database = await startPostgres();
    started.push(database.stop);
    const redis = await startRedis();
    started.push(redis.stop);
    const ports = await Promise.all(Array.from({ length: 1 + webhooks }, freePort));
    const shared = environment(database.port, redis.port, ports[webhooks > 0 ? 1 : 0] ?? 0);
    const launch = async (
      name: string,
      command: N8nOptions['command'],
      more: Record<string, string>,
      port?: number,
    ) => {
      const userFolder = join(options.userFolder, name);
      mkdirSync(userFolder, { recursive: true });
      const env = { ...shared, ...more, ...options.env };
      const process = await startN8n({ ...options, userFolder, command, port, env });
      started.push(process.stop);
      return process;
    };
    // Starts the main process first, because it creates the tables and the encryption key.
    const main = await launch('main', 'start', { N8N_DISABLE_PRODUCTION_MAIN_PROCESS: String(webhooks > 0) }, ports[0]);
    const key = { N8N_ENCRYPTION_KEY: encryptionKeyOf(join(options.userFolder, 'main')) };
    const many = async (count: number, one: (index: number) => Promise<N8n>) =>
      await Promise.allSettled(Array.from({ length: count }, async (_, index) => await one(index)));
    const [executing, receiving] = await Promise.all([
      many(
        workers,
        async (index) => await launch(`worker-${index + 1}`, 'worker', { ...key, ...(await healthCheck()) }),
      ),
      many(webhooks, async (index) => await launch(`webhook-${index + 1}`, 'webhook', key, ports[index + 1])),
    ]);
    return { main, workers: all(executing), webhooks: all(receiving), database, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function environment(postgresPort: number, redisPort: number, webhookPort: number): Record<string, string> {
  return {
    EXECUTIONS_MODE: 'queue',
    OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: '127.0.0.1',
    DB_POSTGRESDB_PORT: String(postgresPort),
    DB_POSTGRESDB_USER: 'n8n',
    DB_POSTGRESDB_DATABASE: 'postgres',
    QUEUE_BULL_REDIS_HOST: '127.0.0.1',
    QUEUE_BULL_REDIS_PORT: String(redisPort),
    WEBHOOK_URL: `http://127.0.0.1:${webhookPort}/`,
  };
}

function encryptionKeyOf(userFolder: string): string {
  const settings = JSON.parse(readFileSync(join(userFolder, '.n8n', 'config'), 'utf8')) as { encryptionKey: string };
  return settings.encryptionKey;
}

const healthCheck = async () => ({
  QUEUE_HEALTH_CHECK_ACTIVE: 'true',
  QUEUE_HEALTH_CHECK_PORT: String(await freePort()),
});

/** Returns all results or throws the first failure. */
function all<T>(results: Array<PromiseSettledResult<T>>): T[] {
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
