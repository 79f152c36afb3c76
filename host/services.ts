import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from './ports';

const DEBIAN_FOLDER = '/usr/lib/postgresql';
const START_LIMIT_MS = 30_000;
/** Runs a program until standard input closes, which means the parent process exited. */
const LEASH = '"$@" & cat >/dev/null; kill -INT $!; wait $!';

/** Database or queue on loopback for a single run. */
export interface Service {
  port: number;
  stop: () => Promise<void>;
}

/** PostgreSQL server for tests. */
export interface Postgres extends Service {
  /**
   * Returns a query's rows as text.
   * @throws Error with the server's message.
   */
  query: (sql: string) => string[][];
}

interface Program {
  name: string;
  file: string;
  args: (folder: string, port: number) => string[];
  prepare?: (folder: string) => void;
  user?: { uid: number; gid: number };
}

/** Starts PostgreSQL with an empty database `postgres` and a user `n8n` without a password. */
export async function startPostgres(): Promise<Postgres> {
  const bin = postgresFolder();
  // Switches to another user, because PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
  const service = await start({
    name: 'postgres',
    file: join(bin, 'postgres'),
    // Disables disk synchronization, because the data is temporary.
    args: (folder, port) => ['-D', folder, '-k', folder, '-h', '127.0.0.1', '-p', String(port), '-F', '-N', '200'],
    prepare: (folder) =>
      void execFileSync(join(bin, 'initdb'), ['-D', folder, '-U', 'n8n', '-A', 'trust', '-E', 'UTF8'], {
        cwd: folder,
        stdio: 'ignore',
        ...user,
      }),
    user,
  });
  const connection = ['-h', '127.0.0.1', '-p', String(service.port), '-U', 'n8n', '-d', 'postgres'];
  const query = (sql: string) => {
    const options = ['-v', 'ON_ERROR_STOP=1', '-A', '-t', '-q', '-F', '\t', '-c', sql];
    const output = execFileSync(join(bin, 'psql'), [...connection, ...options], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    return output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t'));
  };
  return { ...service, query };
}

/** Starts Redis without persistence. */
export async function startRedis(): Promise<Service> {
  const file = folders().find((folder) => existsSync(join(folder, 'redis-server')));
  if (file === undefined) throw new Error('Queue mode needs Redis: install the package redis-server.');
  const args = (folder: string, port: number) => [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
  ];
  return await start({ name: 'redis', file: join(file, 'redis-server'), args });
}

async function start({ name, file, args, prepare, user }: Program): Promise<Service> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  if (user) chownSync(folder, user.uid, user.gid);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    prepare?.(folder);
    const logFile = join(folder, `${name}.log`);
    const log = openSync(logFile, 'a');
    const child = spawn('sh', ['-c', LEASH, 'sh', file, ...args(folder, port)], {
      cwd: folder,
      stdio: ['pipe', log, log],
      // Prevents Ctrl+C from stopping the service before its clients.
      detached: true,
      ...user,
    });
    closeSync(log);
    (child.stdin as Socket | null)?.unref();
    const end = async () => await release(child);
    await ready(name, () => readFileSync(logFile, 'utf8')).catch(async (error: unknown) => {
      await end();
      throw error;
    });
    return {
      port,
      stop: async () => {
        await end();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

async function ready(name: string, log: () => string): Promise<void> {
  const until = Date.now() + START_LIMIT_MS;
  while (!/ready to accept connections/i.test(log())) {
    if (Date.now() > until) throw new Error(`${name} was not ready after ${START_LIMIT_MS / 1000} s:\n${log()}`);
    await sleep(50);
  }
}

async function release(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.stdin?.end();
  await ended;
}

const folders = () => [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
const idOf = (which: string) => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));

/** Returns the folder of PostgreSQL's programs, which Debian installs outside PATH. */
function postgresFolder(): string {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = [...versions.map((version) => join(DEBIAN_FOLDER, version, 'bin')), ...folders()];
  const found = candidates.find((folder) => existsSync(join(folder, 'initdb')));
  if (found === undefined) throw new Error('Queue mode needs PostgreSQL: install the package postgresql.');
  return found;
}
