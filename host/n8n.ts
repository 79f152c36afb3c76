import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
/** Log message that indicates readiness, by kind of process. */
const READY = {
  start: 'Editor is now accessible',
  worker: 'n8n worker is now ready',
  webhook: 'Webhook listener waiting for requests',
};
const START_LIMIT_MS = 120_000;

export interface N8nOptions {
  installation: Installation;
  userFolder: string;
  /** Kind of process. `start`, the default, runs all of n8n. Other kinds require queue mode. */
  command?: keyof typeof READY;
  /** Defaults to any free port. */
  port?: number;
  /** Package tarball to install. By default, n8n loads the built folder as a custom extension. */
  tarball?: string;
  /** Page that the links to the documentation open instead of the page of the npm package. */
  help?: string;
  /** Folder with the built package. Defaults to `dist`. */
  extensions?: string;
  env?: Record<string, string>;
}

export interface N8n {
  baseUrl: string;
  readonly pid: number;
  /** File with n8n's output, including restarts. */
  logFile: string;
  typePrefix: string;
  stop: () => Promise<void>;
  /** Kills n8n immediately, as in a power failure. */
  kill: () => Promise<void>;
  /**
   * Restarts n8n with the same data folder and port.
   * @param env additional environment variables.
   */
  restart: (env?: Record<string, string>) => Promise<void>;
}

/**
 * Starts n8n on loopback and waits until it is ready.
 * @throws Error with the end of n8n's log if n8n exits or isn't ready within two minutes.
 */
export async function startN8n(options: N8nOptions): Promise<N8n> {
  const port = options.port ?? (await freePort());
  mkdirSync(options.userFolder, { recursive: true });
  if (options.tarball) installTarball(options.userFolder, options.tarball, options.help);
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
    // Starts n8n in a process group, so that its child processes end with n8n.
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

function installTarball(userFolder: string, tarball: string, help?: string): void {
  const folder = join(userFolder, '.n8n', 'nodes');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "name": "installed-nodes", "private": true }\n');
  const npm = npmCommand(['install', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', tarball]);
  execFileSync(npm.file, npm.args, { cwd: folder, stdio: 'ignore', windowsHide: true });
  if (help !== undefined) setHelp(join(folder, 'node_modules', PACKAGE), help);
}

const PACKAGE = 'n8n-nodes-payment-platform';
const PAGE = `https://www.npmjs.com/package/${PACKAGE}`;

function setHelp(folder: string, help: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/(?:\.node\.json|\.credentials\.js)$/.test(name)) continue;
    const file = join(folder, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(PAGE, help));
  }
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
