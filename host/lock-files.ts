import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './paths';

/** The folders with a lock file, from the repository: the development packages, each n8n, its Node.js, StrykerJS. */
export const LOCK_FOLDERS = ['.', 'host', 'host/n8n-1.123', 'host/node', 'test/mutation'] as const;

interface LockedPackage {
  version?: string;
  /** The real name when the folder has another one. */
  name?: string;
  /** The hash that what npm downloads has to have. */
  integrity?: string;
  /** Where it was downloaded from; never stored, for a person's registry is nobody else's. */
  resolved?: string;
  /** Whether it is a folder of this repository. */
  link?: boolean;
}

export interface LockFile {
  packages: Record<string, LockedPackage>;
}

export const lockPath = (folder: string): string => join(root, folder, 'package-lock.json');

export const readLock = (path: string): LockFile => JSON.parse(readFileSync(path, 'utf8')) as LockFile;

/** As npm writes it. */
export const writeLock = (path: string, lock: LockFile): void =>
  writeFileSync(path, `${JSON.stringify(lock, undefined, 2)}\n`);

/** The packages that npm downloads: "name@version" and the lock file's entry for it. */
export function downloaded(lock: LockFile): Array<[string, LockedPackage]> {
  return Object.entries(lock.packages)
    .filter(isDownloaded)
    .map(([path, entry]) => [nameOf(path, entry), entry]);
}

const isDownloaded = ([path, { link }]: [string, LockedPackage]) => path.includes('node_modules/') && link !== true;

const nameOf = (path: string, { name, version }: LockedPackage) =>
  `${name ?? path.split('node_modules/').at(-1)}@${version}`;

/** What is wrong with a lock file, a line for each package; empty when nothing is. */
export function problemsOf(lock: LockFile): string[] {
  const resolved = Object.values(lock.packages).flatMap(({ resolved }) => (resolved === undefined ? [] : [resolved]));
  return [
    ...downloaded(lock)
      .filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
      .map(([name]) => `${name} has no SHA-512`),
    ...resolved.map((address) => `${address} names where a package came from`),
  ];
}

/**
 * Mends a lock file: addresses go, and a hash that is missing is asked for.
 * @param hashOf the hash of "name@version" as the registry states it.
 */
export function mend(lock: LockFile, hashOf: (name: string) => string): void {
  for (const [path, entry] of Object.entries(lock.packages).filter(isDownloaded)) {
    const { name, version, integrity = hashOf(nameOf(path, entry)), ...rest } = entry;
    delete rest.resolved;
    // In the order in which npm writes them.
    lock.packages[path] = { ...(name === undefined ? {} : { name }), version, integrity, ...rest };
  }
}
