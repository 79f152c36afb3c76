import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { withLock } from '../../host/lock';
import { installPackages } from '../../host/packages';
import { dataFolder } from '../../host/paths';

/** Folder for all files of mutation testing. */
export const mutationFolder = join(dataFolder, 'mutation');
/**
 * Folder of the StrykerJS packages. Tests run in a copy of the repository below `mutationFolder`, so a separate folder
 * prevents Node.js from loading StrykerJS's packages in the tests.
 */
const toolsFolder = join(mutationFolder, 'tools');

export interface Tools {
  /** Path of StrykerJS's start script. */
  stryker: string;
  /** Path of the StrykerJS plugin that runs jest. */
  jestRunner: string;
}

/**
 * Installs StrykerJS from npm into the data folder unless StrykerJS is already installed. StrykerJS has its own lock
 * file, so that running the tests doesn't require StrykerJS.
 * @throws Error that names the failed step and its cause.
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
