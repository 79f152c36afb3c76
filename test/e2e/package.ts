import { cpSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { runCommand } from '../../host/command';
import { withLock } from '../../host/lock';
import { npmCommand } from '../../host/npm.cjs';
import { packPackage } from '../../host/pack';
import { dataFolder, distFolder, root } from '../../host/paths';

const parent = join(dataFolder, 'e2e');
const VARIABLE = 'PAYMENT_PLATFORM_E2E_PACKAGE';
const IS_BUILT = 'PAYMENT_PLATFORM_IS_BUILT';
const PREFIX = 'package-';

/** The package as this test run built it: a copy, for `dist` may be built anew while the tests still run. */
export interface BuiltPackage {
  /** For n8n to load as a custom extension. */
  dist: string;
  /** What would be published. */
  tarball: string;
}

export const builtPackage = (folder = process.env[VARIABLE] ?? root): BuiltPackage => ({
  dist: join(folder, 'dist'),
  tarball: join(folder, 'package.tgz'),
});

/**
 * Builds and packs the package for the tests of this run, whose processes inherit where it is. With
 * PAYMENT_PLATFORM_IS_BUILT in the environment `dist` is taken as it is: .ci/run has just built it.
 */
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

/** Removes what runs left that have ended. */
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
