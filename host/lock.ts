import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether a process is still there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Runs `work` while no other process does: two installations at once would corrupt each other. */
export async function withLock<T>(
  folder: string,
  report: (message: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  let told = false;
  while (!tryLock(folder)) {
    if (!told) report('Another installation is under way; waiting for it ...');
    told = true;
    await sleep(1000);
  }
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tryLock(folder: string): boolean {
  const owner = join(folder, 'pid');
  try {
    mkdirSync(folder);
    writeFileSync(owner, String(process.pid));
    return true;
  } catch {
    // Taken. A lock whose owner is gone is left over from a run that was killed.
    if (!isAlive(ownerOf(owner))) rmSync(folder, { recursive: true, force: true });
    return false;
  }
}

/** The owner's process ID; this process's own while the other one has not written it yet. */
function ownerOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8')) || process.pid;
  } catch {
    return process.pid;
  }
}
