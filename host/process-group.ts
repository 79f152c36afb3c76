import { execFileSync, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const STOP_LIMIT_MS = 15_000;

/** Whether a process that this one started is over. */
export const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/**
 * Ends a process that was started `detached`, and everything that it started. SIGTERM lets it finish for 15 seconds.
 * Windows knows no signals and no groups: there both end all at once.
 */
export async function endGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
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
    if (process.platform === 'win32') execFileSync('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore' });
    else process.kill(-pid, signal);
  } catch {
    // The group is gone: that is what was wanted.
  }
}
