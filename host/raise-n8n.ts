/** `npm run raise-n8n` updates the n8n version in all files and prints the commands that complete the update. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { MAJORS, versionOf, type HostMajor } from './install';
import { npmCommand } from './npm.cjs';
import { root } from './paths';

/** Access to the npm registry. */
export interface Registry {
  versions: () => string[];
  dependencies: (version: string) => Record<string, string>;
}

/** Version change of a package. */
export interface Raise {
  /** Name in package.json. */
  package: string;
  major: HostMajor;
  from: string;
  to: string;
}

const LOCKS: Record<HostMajor, string> = { 2: 'host', 1: 'host/n8n-1.123' };

/** Development packages whose versions must match the versions that n8n requires, by their names in package.json. */
const PARTS: Record<HostMajor, Record<string, string>> = {
  2: { 'n8n-core': 'n8n-core', 'n8n-workflow': 'n8n-workflow', '@n8n/utils': '@n8n/utils' },
  1: { 'n8n-1-utils': '@n8n/utils' },
};
const MANIFEST = 'package.json';
const CHANGELOG = 'CHANGELOG.md';

/** Returns the newest release of a major version. Ignores prereleases. */
export function newestOf(major: HostMajor, versions: string[]): string {
  const numbers = (version: string) => version.split('.').map(Number);
  const [newest] = versions
    .filter((version) => /^\d+\.\d+\.\d+$/.test(version) && version.startsWith(`${major}.`))
    .toSorted((a, b) => compare(numbers(b), numbers(a)));
  if (newest === undefined) throw new Error(`The registry lists no version of n8n ${major}.`);
  return newest;
}

const compare = (a: number[], b: number[]): number => {
  const different = a.findIndex((part, index) => part !== b[index]);
  return different < 0 ? 0 : (a[different] ?? 0) - (b[different] ?? 0);
};

/** Returns the required version changes. */
export function findRaises(registry: Registry, manifest: string, current = versionOf): Raise[] {
  const versions = registry.versions();
  return MAJORS.flatMap((major): Raise[] => {
    const [from, to] = [current(major), newestOf(major, versions)];
    const own: Raise[] = from === to ? [] : [{ package: 'n8n', major, from, to }];
    return [...own, ...partsOf(registry.dependencies(to), manifest, major)];
  });
}

function partsOf(required: Record<string, string>, manifest: string, major: HostMajor): Raise[] {
  const { devDependencies } = JSON.parse(manifest) as { devDependencies: Record<string, string> };
  return Object.entries(PARTS[major]).flatMap(([alias, name]): Raise[] => {
    const [from, to] = [devDependencies[alias]?.replace(`npm:${name}@`, ''), required[name]];
    if (from === undefined || to === undefined) throw new Error(`n8n ${major} does not depend on ${name}.`);
    return from === to ? [] : [{ package: alias, major, from, to }];
  });
}

/** Returns the changed files. In the changelog, updates only the newest version's section. */
export function raisedTexts(texts: Record<string, string>, raises: Raise[]): Record<string, string> {
  const changed = Object.entries(texts).flatMap(([path, text]): Array<[string, string]> => {
    const end = path === CHANGELOG ? endOfFirstVersion(text) : text.length;
    const raised = raises.reduce((one, raise) => replaced(path, one, raise), text.slice(0, end)) + text.slice(end);
    return raised === text ? [] : [[path, raised]];
  });
  return Object.fromEntries(changed);
}

function endOfFirstVersion(text: string): number {
  const [, second] = [...text.matchAll(/^## /gm)];
  return second?.index ?? text.length;
}

function replaced(path: string, text: string, { package: name, from, to }: Raise): string {
  const version = from.replaceAll('.', '\\.');
  if (path === MANIFEST) return text.replace(new RegExp(`("${name}": "(npm:.+@)?)${version}"`), `$1${to}"`);
  return name === 'n8n' ? text.replace(new RegExp(`(?<![\\d.])${version}(?![\\d.]*\\d)`, 'g'), to) : text;
}

/** Returns the commands that complete the update. */
export const nextCommands = (raises: Raise[]): string[] => {
  const folders = raises.map((raise) => (raise.package === 'n8n' ? LOCKS[raise.major] : '.'));
  const locks = [...new Set(folders)].map((folder) => `npm run lock -- ${folder}`);
  return [...locks, 'npm run record-nodes', '.ci/run'];
};

function read(args: string[]): string {
  const { file, args: all } = npmCommand([...args, '--json', '--loglevel=error']);
  return execFileSync(file, all, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

const npm: Registry = {
  versions: () => JSON.parse(read(['view', 'n8n', 'versions'])) as string[],
  dependencies: (version) => JSON.parse(read(['view', `n8n@${version}`, 'dependencies'])) as Record<string, string>,
};

/** Returns the text files that can contain a version. Excludes lock files, which `npm run lock` updates. */
export function namingFiles(): Record<string, string> {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  const paths = listed.filter(
    (path) => /(\.(md|ts|json|ya?ml)|Dockerfile)$/.test(path) && !path.endsWith('-lock.json'),
  );
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

function main(): void {
  const texts = namingFiles();
  const raises = findRaises(npm, texts[MANIFEST] ?? '{}');
  if (raises.length === 0) return console.log('The repository already names the newest n8n of each major version.');
  for (const { package: name, from, to } of raises) console.log(`${name}: ${from} -> ${to}`);
  const changed = raisedTexts(texts, raises);
  for (const [path, text] of Object.entries(changed)) writeFileSync(join(root, path), text);
  console.log(`Changed: ${Object.keys(changed).join(', ')}\nNow run:\n  ${nextCommands(raises).join('\n  ')}`);
}

if (require.main === module) main();
