import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './paths';

/** Folders that contain a package-lock.json. */
export const LOCK_FOLDERS = ['.', 'host', 'host/n8n-1.123', 'host/node', 'test/mutation', 'docs/site'] as const;

interface LockedPackage {
  version?: string;
  name?: string;
  integrity?: string;
  /** Download address. Lock files in the repository omit it, because it identifies a developer's registry. */
  resolved?: string;
  link?: boolean;
}

export interface LockFile {
  packages: Record<string, LockedPackage>;
}

export const lockPath = (folder: string): string => join(root, folder, 'package-lock.json');

export const readLock = (path: string): LockFile => JSON.parse(readFileSync(path, 'utf8')) as LockFile;

export const writeLock = (path: string, lock: LockFile): void =>
  writeFileSync(path, `${JSON.stringify(lock, undefined, 2)}\n`);

/** Returns the packages that npm downloads, as pairs of "name@version" and lock file entry. */
export function downloaded(lock: LockFile): Array<[string, LockedPackage]> {
  return Object.entries(lock.packages)
    .filter(isDownloaded)
    .map(([path, entry]) => [nameOf(path, entry), entry]);
}

const isDownloaded = ([path, { link }]: [string, LockedPackage]) => path.includes('node_modules/') && link !== true;

const nameOf = (path: string, { name, version }: LockedPackage) =>
  `${name ?? path.split('node_modules/').at(-1)}@${version}`;

export function problemsOf(lock: LockFile): string[] {
  const resolved = Object.values(lock.packages).flatMap(({ resolved }) => (resolved === undefined ? [] : [resolved]));
  return [
    ...downloaded(lock)
      .filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
      .map(([name]) => `${name} has no SHA-512`),
    ...resolved.map((address) => `${address} reveals the source of a package`),
  ];
}

/**
 * Removes download addresses from a lock file and adds missing hashes.
 * @param hashOf returns the hash for "name@version".
 */
export function mend(lock: LockFile, hashOf: (name: string) => string): void {
  for (const [path, entry] of Object.entries(lock.packages).filter(isDownloaded)) {
    const { name, version, integrity = hashOf(nameOf(path, entry)), ...rest } = entry;
    delete rest.resolved;
    lock.packages[path] = { ...(name === undefined ? {} : { name }), version, integrity, ...rest };
  }
}
