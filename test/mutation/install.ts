import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { withLock } from '../../host/lock';
import { installPackages } from '../../host/packages';
import { dataFolder } from '../../host/paths';

export const mutationFolder = join(dataFolder, 'mutation');
/** A separate folder prevents Node.js from loading StrykerJS's packages in the tests. */
const toolsFolder = join(mutationFolder, 'tools');

export interface Tools {
  stryker: string;
  jestRunner: string;
}

/**
 * Installs StrykerJS into the data folder unless it is already installed.
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
