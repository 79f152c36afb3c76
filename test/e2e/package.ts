import { cpSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { runCommand } from '../../host/command';
import { withLock } from '../../host/lock';
import { npmCommand } from '../../host/npm.cjs';
import { packPackage } from '../../host/package/pack';
import { dataFolder, distFolder, root } from '../../host/paths';

const parent = join(dataFolder, 'e2e');
const VARIABLE = 'PAYMENT_PLATFORM_E2E_PACKAGE';
const IS_BUILT = 'PAYMENT_PLATFORM_IS_BUILT';
const PREFIX = 'package-';

/** Copy of the built package, because another process may rebuild `dist` during the tests. */
export interface BuiltPackage {
  /** Folder that n8n loads as a custom extension. */
  dist: string;
  tarball: string;
}

export const builtPackage = (folder = process.env[VARIABLE] ?? root): BuiltPackage => ({
  dist: join(folder, 'dist'),
  tarball: join(folder, 'package.tgz'),
});

/** Builds and packs the package, unless PAYMENT_PLATFORM_IS_BUILT is set. */
export async function buildPackage(report: (message: string) => void): Promise<void> {
  const folder = join(parent, `${PREFIX}${process.pid}`);
  removeLeftovers();
  mkdirSync(folder, { recursive: true });
  await withLock(join(dataFolder, 'build'), report, async () => {
    if (!process.env[IS_BUILT]) await runCommand('build', npmCommand(['run', 'build']));
    cpSync(distFolder, builtPackage(folder).dist, { recursive: true });
    renameSync(packPackage(folder), builtPackage(folder).tarball);
  });
  process.env[VARIABLE] = folder;
}

function removeLeftovers(): void {
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent))
    if (name.startsWith(PREFIX) && !isAlive(Number(name.slice(PREFIX.length))))
      rmSync(join(parent, name), { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
