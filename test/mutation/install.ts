import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runCommand } from '../../host/command';
import { withLock } from '../../host/lock';
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
  await withLock(`${toolsFolder}.lock`, report, async () => await install(report));
  const packages = join(toolsFolder, 'node_modules', '@stryker-mutator');
  return {
    stryker: join(packages, 'core', 'bin', 'stryker.js'),
    jestRunner: join(packages, 'jest-runner', 'dist', 'src', 'index.js'),
  };
}

async function install(report: (message: string) => void): Promise<void> {
  const lock = join(__dirname, 'package-lock.json');
  const stamp = join(toolsFolder, '.installed');
  const wanted = createHash('sha256').update(readFileSync(lock)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(stamp, { force: true });
  mkdirSync(toolsFolder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(__dirname, file), join(toolsFolder, file));
  report('Installing StrykerJS (about a minute, once) ...');
  const seconds = await runCommand('install-stryker', 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: toolsFolder,
    onTick: (passed) => report(`  ... ${passed} s`),
  });
  writeFileSync(stamp, wanted);
  report(`Installed in ${seconds} s.`);
}
