import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { environmentOf } from './environment';
import type { Installation } from './install';
import { npmCommand } from './npm.cjs';
import { root } from './paths';
import { freePort } from './ports';
import { endGroup, hasEnded } from './process-group';

const LEASH = join(root, 'host', 'leash.cjs');
/** Ready message of each kind of n8n process. */
const READY = {
  start: 'Editor is now accessible',
  worker: 'n8n worker is now ready',
  webhook: 'Webhook listener waiting for requests',
};
const START_LIMIT_MS = 120_000;

export interface N8nOptions {
  installation: Installation;
  /** Folder of n8n's database, settings and log. */
  userFolder: string;
  /** Kind of process. Defaults to `start`, which is n8n itself. Other kinds belong to queue mode (queue.ts). */
  command?: keyof typeof READY;
  /** Defaults to any free port. */
  port?: number;
  /** Tarball of the package to install. If it is missing, n8n loads the built folder as a custom extension. */
  tarball?: string;
  /** Built folder. Defaults to `dist`. */
  extensions?: string;
  /** Overrides the environment of a quiet local run (environment.ts), e.g. EXECUTIONS_MODE, N8N_LOG_LEVEL. */
  env?: Record<string, string>;
}

export interface N8n {
  baseUrl: string;
  /** ID of n8n's current process. Changes with a restart. */
  readonly pid: number;
  /** File with n8n's output since its first start, including restarts. */
  logFile: string;
  /** Prefix of the package's node types in workflows. */
  typePrefix: string;
  /** Stops n8n and its child processes gracefully. */
  stop: () => Promise<void>;
  /** Kills n8n and its child processes immediately, like a power failure, so n8n can't save anything. */
  kill: () => Promise<void>;
  /**
   * Restarts n8n with the same data folder and port, after stopping it gracefully. `env` extends the options'
   * environment.
   */
  restart: (env?: Record<string, string>) => Promise<void>;
}

/**
 * Starts a real n8n, or one process of it, on loopback and waits until it is ready.
 * @throws Error with the end of n8n's log if n8n exits early or isn't ready within two minutes.
 */
export async function startN8n(options: N8nOptions): Promise<N8n> {
  const port = options.port ?? (await freePort());
  mkdirSync(options.userFolder, { recursive: true });
  if (options.tarball) installTarball(options.userFolder, options.tarball);
  const logFile = join(options.userFolder, 'n8n.log');
  rmSync(logFile, { force: true });
  let env = options.env ?? {};
  let child = await launch({ ...options, env }, port, logFile);
  const stop = async () => await endGroup(child, 'SIGTERM');
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    get pid() {
      return child.pid ?? 0;
    },
    logFile,
    typePrefix: options.tarball ? 'n8n-nodes-payment-platform.' : 'CUSTOM.',
    stop,
    kill: async () => await endGroup(child, 'SIGKILL'),
    restart: async (more = {}) => {
      await stop();
      env = { ...env, ...more };
      child = await launch({ ...options, env }, port, logFile);
    },
  };
}

async function launch(options: N8nOptions, port: number, logFile: string): Promise<ChildProcess> {
  const log = openSync(logFile, 'a');
  const from = fstatSync(log).size;
  const { installation, command = 'start' } = options;
  const child = spawn(installation.node, ['--require', LEASH, installation.n8n, command], {
    cwd: options.userFolder,
    env: await environmentOf({ ...options, port }),
    stdio: ['pipe', log, log],
    // Uses a separate process group, so that n8n's child processes end with it.
    detached: true,
    windowsHide: true,
  });
  closeSync(log);
  (child.stdin as Socket | null)?.unref();
  try {
    await ready(child, READY[command], () => readFileSync(logFile, 'utf8').slice(from));
  } catch (error) {
    await endGroup(child, 'SIGTERM');
    throw error;
  }
  return child;
}

function installTarball(userFolder: string, tarball: string): void {
  const folder = join(userFolder, '.n8n', 'nodes');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "name": "installed-nodes", "private": true }\n');
  const npm = npmCommand(['install', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', tarball]);
  execFileSync(npm.file, npm.args, { cwd: folder, stdio: 'ignore', windowsHide: true });
}

async function ready(child: ChildProcess, line: string, log: () => string): Promise<void> {
  const until = Date.now() + START_LIMIT_MS;
  const end = () => log().trim().split('\n').slice(-20).join('\n');
  while (!log().includes(line)) {
    if (hasEnded(child)) throw new Error(`n8n ended while starting:\n${end()}`);
    if (Date.now() > until) throw new Error(`n8n was not ready after ${START_LIMIT_MS / 1000} s:\n${end()}`);
    await sleep(100);
  }
}
