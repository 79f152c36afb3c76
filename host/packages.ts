import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runCommand } from './command';
import { npmCommand } from './npm.cjs';

export interface Packages {
  /** For the log file and for a person, e.g. "n8n-2.41.1". */
  name: string;
  /** Folder with a package.json and its package-lock.json. */
  source: string;
  /** Where node_modules is made. */
  folder: string;
  /** More arguments for `npm ci`. */
  args?: string[];
  /** What else the installation depends on, besides its lock file. */
  depends?: string;
  /** What has to be done when the packages are there. */
  finish?: () => Promise<void> | void;
  /** What a person is told before it begins, when there is anything to do. */
  announcement: string;
}

const NPM_CI = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];

/**
 * Installs what a lock file names, each package proven by its hash there; does nothing when it is there already.
 * @throws Error that says which step failed and why.
 */
export async function installPackages(packages: Packages, report: (message: string) => void): Promise<void> {
  const { name, source, folder, args = [], depends = '', finish } = packages;
  const stamp = join(folder, '.installed');
  const lock = readFileSync(join(source, 'package-lock.json'));
  const wanted = createHash('sha256').update(lock).update(depends).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
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
  writeFileSync(stamp, wanted);
}
