import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { withLock } from '../../host/lock';
import { installPackages } from '../../host/packages';
import { dataFolder } from '../../host/paths';

/** Everything that mutation testing leaves behind. */
export const mutationFolder = join(dataFolder, 'mutation');
/** Not the folder itself: tests run in a copy below it and must not find the packages of StrykerJS on their way up. */
const toolsFolder = join(mutationFolder, 'tools');

export interface Tools {
  /** StrykerJS's own start script. */
  stryker: string;
  /** The plugin that runs jest. */
  jestRunner: string;
}

/**
 * Installs StrykerJS from npm into the data folder; does nothing when it is there. It has a lock file of its own, so
 * that a person who only wants to run the tests does not install it.
 * @throws Error that says which step failed and why.
 */
export async function installTools(report: (message: string) => void): Promise<Tools> {
  mkdirSync(mutationFolder, { recursive: true });
  const announcement = 'Installing StrykerJS (about a minute, once) ...';
  await withLock(toolsFolder, report, async () => {
    await installPackages({ name: 'stryker', source: __dirname, folder: toolsFolder, announcement }, report);
  });
  const packages = join(toolsFolder, 'node_modules', '@stryker-mutator');
  return {
    stryker: join(packages, 'core', 'bin', 'stryker.js'),
    jestRunner: join(packages, 'jest-runner', 'dist', 'src', 'index.js'),
  };
}
