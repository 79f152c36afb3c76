/**
 * `npm run lock` repairs every lock file. `npm run lock -- <folder>` first updates the lock file of the folder. Runs
 * npm without node_modules, because npm would otherwise remove all hashes.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { LOCK_FOLDERS, lockPath, mend, problemsOf, readLock, writeLock } from './lock-files';
import { npmCommand } from './npm.cjs';
import { root } from './paths';

const FILES = ['package.json', 'package-lock.json'];
const say = (message: string) => console.log(message);

function main([folder]: string[]): void {
  if (folder !== undefined) update(folder);
  for (const one of LOCK_FOLDERS) check(one);
}

function update(folder: string): void {
  if (!LOCK_FOLDERS.some((one) => one === folder))
    throw new Error(`"${folder}" must be one of ${LOCK_FOLDERS.join(', ')}`);
  const alone = mkdtempSync(join(tmpdir(), 'payment-platform-lock-'));
  try {
    for (const file of FILES)
      if (existsSync(join(root, folder, file))) copyFileSync(join(root, folder, file), join(alone, file));
    copyFileSync(join(root, '.npmrc'), join(alone, '.npmrc'));
    npm(['install', '--package-lock-only', ...(folder.startsWith('host') ? ['--legacy-peer-deps'] : [])], alone);
    copyFileSync(join(alone, 'package-lock.json'), lockPath(folder));
  } finally {
    rmSync(alone, { recursive: true, force: true });
  }
}

function check(folder: string): void {
  const lock = readLock(lockPath(folder));
  const problems = problemsOf(lock);
  if (problems.length > 0) {
    mend(lock, hashOf);
    writeLock(lockPath(folder), lock);
  }
  const left = problemsOf(lock);
  for (const problem of left) console.error(`${folder}: ${problem}`);
  if (left.length > 0) process.exitCode = 1;
  else say(`${folder}: ${problems.length === 0 ? 'complete' : `${problems.length} entries repaired`}`);
}

const hashOf = (name: string) => npm(['view', name, 'dist.integrity'], root).trim();

function npm(args: string[], cwd: string): string {
  const command = npmCommand([...args, '--loglevel=error']);
  return execFileSync(command.file, command.args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
