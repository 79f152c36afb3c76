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
/** What each kind of n8n process prints when it takes work. */
const READY = {
  start: 'Editor is now accessible',
  worker: 'n8n worker is now ready',
  webhook: 'Webhook listener waiting for requests',
};
const START_LIMIT_MS = 120_000;

export interface N8nOptions {
  installation: Installation;
  /** Folder for n8n's database, settings and log. */
  userFolder: string;
  /** The kind of process: `start`, the default, is n8n itself; the others belong to queue mode (queue.ts). */
  command?: keyof typeof READY;
  /** Any free port unless given. */
  port?: number;
  /** A packed package to install; a built folder is loaded as a custom extension unless given. */
  tarball?: string;
  /** The built folder, `dist` unless given. */
  extensions?: string;
  /** Adds to, and overrides, the environment of a quiet local run (environment.ts); e.g. EXECUTIONS_MODE, N8N_LOG_LEVEL. */
  env?: Record<string, string>;
}

export interface N8n {
  baseUrl: string;
  /** n8n's process at present; another one after a restart. */
  readonly pid: number;
  /** What n8n has printed since it was first started, restarts included. */
  logFile: string;
  /** Prefix of the package's node types in a workflow. */
  typePrefix: string;
  /** Ends n8n and everything it started, in good order. */
  stop: () => Promise<void>;
  /** Ends n8n and everything it started at once, as a power cut does: n8n can save nothing. */
  kill: () => Promise<void>;
  /** Starts n8n again on the same data folder and port, ending it in good order if it still runs; `env` adds to the options'. */
  restart: (env?: Record<string, string>) => Promise<void>;
}

/**
 * Starts a real n8n, or a part of one, on loopback and waits until it is ready.
 * @throws Error with the end of n8n's log when it ends early or takes longer than two minutes.
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
    // A process group of its own: what n8n starts is ended with it.
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
