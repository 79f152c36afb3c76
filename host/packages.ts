import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runCommand } from './command';
import { npmCommand } from './npm.cjs';

export interface Packages {
  /** Name in messages, for example "n8n-2.41.1". */
  name: string;
  source: string;
  folder: string;
  args?: string[];
  /** Text that forces a reinstall when changed. */
  depends?: string;
  finish?: () => Promise<void> | void;
  announcement: string;
}

const STAMP = '.installed';
const NPM_CI = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];

function stampOf({ source, depends = '' }: Pick<Packages, 'source' | 'depends'>): string {
  const lock = readFileSync(join(source, 'package-lock.json'));
  return createHash('sha256').update(lock).update(depends).digest('hex');
}

/** Returns whether the installed packages match the lock file. */
export function isInstalled(packages: Pick<Packages, 'source' | 'folder' | 'depends'>): boolean {
  const stamp = join(packages.folder, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === stampOf(packages);
}

/**
 * Installs a lock file's packages unless they are current.
 * @throws Error that names the failed step and its cause.
 */
export async function installPackages(packages: Packages, report: (message: string) => void): Promise<void> {
  if (isInstalled(packages)) return;
  const { name, source, folder, args = [], finish } = packages;
  const stamp = join(folder, STAMP);
  rmSync(stamp, { force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(source, file), join(folder, file));
  report(packages.announcement);
  const seconds = await runCommand(`install-${name}`, npmCommand([...NPM_CI, ...args]), {
    cwd: folder,
    onTick: (passed) => report(`  ${name}, downloading: ${passed} s`),
  });
  report(`  ${name} downloaded in ${seconds} s.`);
  await finish?.();
  writeFileSync(stamp, stampOf(packages));
}
