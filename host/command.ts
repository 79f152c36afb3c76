import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { NpmCommand } from './npm.cjs';
import { logsFolder, root } from './paths';

const TICK_SECONDS = 5;

export interface CommandOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  onTick?: (seconds: number) => void;
  /** Ends the command and its child processes. The function then throws an error. */
  signal?: AbortSignal | undefined;
}

/**
 * Runs a command and logs its output to a file. Returns the duration in seconds.
 * @throws Error with the end of the log.
 */
export async function runCommand(
  label: string,
  { file, args }: NpmCommand,
  options: CommandOptions = {},
): Promise<number> {
  mkdirSync(logsFolder, { recursive: true });
  const logFile = join(logsFolder, `${label}.log`);
  const log = createWriteStream(logFile);
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);
  const child = spawn(file, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    detached: options.signal !== undefined,
  });
  if (options.signal) endGroup(child, options.signal);
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const ticker = setInterval(() => options.onTick?.(seconds()), TICK_SECONDS * 1000);
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve(status ?? 1));
  }).finally(() => clearInterval(ticker));
  await new Promise((resolve) => log.end(resolve));
  if (code !== 0) throw new Error(failureMessage(label, logFile));
  return seconds();
}

/** Ends the child's process group if the signal aborts, or if this process receives a signal to end. */
function endGroup(child: ChildProcess, signal: AbortSignal): void {
  const end = () => child.pid !== undefined && process.kill(-child.pid);
  const exit = () => {
    end();
    process.exit(1);
  };
  signal.addEventListener('abort', end);
  process.on('SIGINT', exit).on('SIGTERM', exit);
  child.once('exit', () => {
    signal.removeEventListener('abort', end);
    process.off('SIGINT', exit).off('SIGTERM', exit);
  });
}

function failureMessage(label: string, logFile: string): string {
  const text = readFileSync(logFile, 'utf8');
  if (/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENETUNREACH/.test(text))
    return "npm can't reach the registry. Check the network and the proxy settings of npm, and then run the command again.";
  return `The step "${label}" failed. The end of its log (${logFile}):\n${text.trim().split('\n').slice(-20).join('\n')}`;
}
