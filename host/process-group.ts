import { execFileSync, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const STOP_LIMIT_MS = 15_000;

export const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/**
 * Ends a `detached` process and its child processes. After SIGTERM, waits up to 15 seconds for a graceful exit, except
 * on Windows.
 */
export async function endGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  // Sends no signal to an ended process, because another process may have the same ID.
  if (child.pid === undefined || hasEnded(child)) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  signalGroup(child.pid, signal);
  if (signal === 'SIGTERM') await Promise.race([ended, sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
  // Kills the remaining processes, including n8n's task runner.
  signalGroup(child.pid, 'SIGKILL');
  await ended;
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    if (process.platform === 'win32') execFileSync('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore' });
    else process.kill(-pid, signal);
  } catch {
    // Ignores the error, because the process group has already ended.
  }
}
