import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';

import { runCommand } from './command';
import { withLock } from './lock';
import { installNode, NODE_MAJOR, type NodeJs } from './node';
import { npmCommand } from './npm.cjs';
import { installPackages, isInstalled } from './packages';
import { dataFolder, root } from './paths';

/** npm compiles this n8n module from source, because its binary has no hash in the lock file. */
const COMPILED = 'sqlite3';
const NATIVE_MODULES: readonly string[] = [COMPILED, 'isolated-vm'];

/** Native modules work with only one major version of Node.js. */
const DEPENDS = String(NODE_MAJOR);

const MANIFESTS = { 2: join(root, 'host'), 1: join(root, 'host', 'n8n-1.123') } as const;

export type HostMajor = keyof typeof MANIFESTS;

export interface Installation {
  major: HostMajor;
  version: string;
  node: string;
  n8n: string;
}

type Report = (message: string) => void;

/** Supported major versions of n8n, newest first. */
export const MAJORS: readonly HostMajor[] = [2, 1];

export function versionOf(major: HostMajor): string {
  const text = readFileSync(join(MANIFESTS[major], 'package.json'), 'utf8');
  return (JSON.parse(text) as { dependencies: { n8n: string } }).dependencies.n8n;
}

const folderOf = (major: HostMajor) => join(dataFolder, `n8n-${versionOf(major)}`);

/**
 * Installs n8n and its Node.js version in the data folder.
 * @throws Error that names the failed step and its cause.
 */
export async function installHost(report: Report, major: HostMajor = 2): Promise<Installation> {
  mkdirSync(dataFolder, { recursive: true });
  const node = await withLock(join(dataFolder, 'node'), report, async () => await installNode(report));
  const folder = folderOf(major);
  await withLock(folder, report, async () => await installN8n(MANIFESTS[major], folder, node, report));
  return {
    major,
    version: versionOf(major),
    node: node.binary,
    n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
  };
}

async function installN8n(source: string, folder: string, node: NodeJs, report: Report): Promise<void> {
  const name = basename(folder);
  await installPackages(
    {
      name,
      source,
      folder,
      args: ['--legacy-peer-deps'],
      depends: DEPENDS,
      announcement: `Installing ${name} (about 5 minutes, once) ...`,
      finish: async () => await buildNativeModules(name, folder, node, report),
    },
    report,
  );
}

async function buildNativeModules(name: string, folder: string, node: NodeJs, report: Report): Promise<void> {
  report(`  ${name}: now building its native modules ...`);
  const onTick = (passed: number) => report(`  ${name}, building: ${passed} s`);
  const built = MAJORS.map((major) => ({ source: MANIFESTS[major], folder: folderOf(major), depends: DEPENDS }))
    .filter((other) => other.folder !== folder && isInstalled(other))
    .map((other) => other.folder);
  const missing = built.reduce((modules, from) => copyBuiltModules(modules, from, folder), NATIVE_MODULES);
  const seconds = missing.length > 0 ? await rebuildModules(missing, { name, folder, node, onTick }) : 0;
  report(`  ${name} built in ${seconds} s.`);
}

/**
 * Copies built modules from another installation, because each build takes about a minute.
 * @returns the modules that npm must still build.
 */
export function copyBuiltModules(modules: readonly string[], from: string, to: string): string[] {
  return modules.filter((module) => {
    const [source, target] = [join(from, 'node_modules', module), join(to, 'node_modules', module)];
    const build = join(source, 'build', 'Release');
    if (!existsSync(build) || packageVersion(source) !== packageVersion(target)) return true;
    for (const file of readdirSync(build).filter((one) => one.endsWith('.node')))
      cpSync(join(build, file), join(target, 'build', 'Release', file));
    return false;
  });
}

const packageVersion = (folder: string) =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;

interface Rebuild {
  name: string;
  folder: string;
  node: Pick<NodeJs, 'binary' | 'headers'>;
  onTick?: (seconds: number) => void;
}

/** Builds native modules for n8n's Node.js version. Returns the duration in seconds. */
export async function rebuildModules(
  modules: readonly string[],
  { name, folder, node, onTick }: Rebuild,
): Promise<number> {
  const command = npmCommand(['rebuild', ...modules], { node: node.binary });
  return await runCommand(`build-${name}`, command, {
    cwd: folder,
    env: {
      PATH: `${dirname(node.binary)}${delimiter}${process.env.PATH ?? ''}`,
      npm_config_ignore_scripts: 'false',
      npm_config_build_from_source: COMPILED,
      JOBS: 'max',
      ...(node.headers === undefined ? {} : { npm_config_nodedir: node.headers }),
    },
    ...(onTick && { onTick }),
  });
}
