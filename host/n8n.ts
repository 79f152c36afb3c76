import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Installation } from './install';
import { distFolder, root } from './paths';
import { freePort } from './ports';

const LEASH = join(root, 'host', 'leash.cjs');
/** What each kind of n8n process prints when it takes work. */
const READY = {
  start: 'Editor is now accessible',
  worker: 'n8n worker is now ready',
  webhook: 'Webhook listener waiting for requests',
};
const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 15_000;

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
  /** Adds to, and overrides, the environment of a quiet local run; e.g. WEBHOOK_URL, EXECUTIONS_MODE, N8N_LOG_LEVEL. */
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
    env: { ...inherited(), ...(await environment(options, port)) },
    stdio: ['pipe', log, log],
    // A process group of its own: what n8n starts is ended with it.
    detached: true,
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

/** The caller's environment without what would make n8n believe that it is under test. */
function inherited(): NodeJS.ProcessEnv {
  const copy = { ...process.env };
  for (const name of ['NODE_ENV', 'NODE_OPTIONS', 'JEST_WORKER_ID']) delete copy[name];
  return copy;
}

async function environment(options: N8nOptions, port: number): Promise<Record<string, string>> {
  return {
    HOME: options.userFolder,
    N8N_USER_FOLDER: options.userFolder,
    N8N_PORT: String(port),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    WEBHOOK_URL: `http://127.0.0.1:${port}/`,
    N8N_SECURE_COOKIE: 'false',
    N8N_ENCRYPTION_KEY: 'local-runs-only',
    N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'false',
    GENERIC_TIMEZONE: 'America/New_York',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
    N8N_HIRING_BANNER_ENABLED: 'false',
    N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
    N8N_RUNNERS_BROKER_PORT: String(await freePort()),
    ...(options.installation.major === 1 ? { N8N_RUNNERS_ENABLED: 'false' } : { N8N_DISABLED_MODULES: 'mcp-registry' }),
    ...(options.tarball ? {} : { N8N_CUSTOM_EXTENSIONS: options.extensions ?? distFolder }),
    ...options.env,
  };
}

function installTarball(userFolder: string, tarball: string): void {
  const folder = join(userFolder, '.n8n', 'nodes');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "name": "installed-nodes", "private": true }\n');
  execFileSync('npm', ['install', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', tarball], {
    cwd: folder,
    stdio: 'ignore',
    shell: process.platform === 'win32',
  });
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

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function endGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  // The ID of a process that ended earlier may belong to somebody else by now.
  if (child.pid === undefined || hasEnded(child)) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  signalGroup(child.pid, signal);
  if (signal === 'SIGTERM') await Promise.race([ended, sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
  // Whatever is left of the group, n8n's task runner included.
  signalGroup(child.pid, 'SIGKILL');
  await ended;
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // The group is gone: that is what was wanted.
  }
}
