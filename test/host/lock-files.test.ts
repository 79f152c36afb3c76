import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { downloaded, LOCK_FOLDERS, lockPath, mend, problemsOf, readLock, type LockFile } from '../../host/lock-files';
import { MAJORS, versionOf } from '../../host/install';
import { NODE_MAJOR, NODE_PACKAGES } from '../../host/node';
import { root } from '../../host/paths';

const HASH = `sha512-${'A'.repeat(86)}==`;
const NOT_OURS = ['node_modules', 'dist', 'coverage'];

function manifestFolders(folder = '.'): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  const below = entries.filter((one) => one.isDirectory() && !one.name.startsWith('.') && !NOT_OURS.includes(one.name));
  const here = entries.some(({ name }) => name === 'package.json') ? [folder] : [];
  return [...here, ...below.flatMap(({ name }) => manifestFolders(posix.join(folder, name)))];
}

test('every manifest of the repository has a checked lock file', () => {
  expect(manifestFolders().sort()).toEqual([...LOCK_FOLDERS].sort());
});

describe.each(LOCK_FOLDERS)('The lock file of %s', (folder) => {
  const lock = readLock(lockPath(folder));

  test('a lock file contains the hash of every npm package, but no URL', () => {
    expect(downloaded(lock).length).toBeGreaterThan(0);
    expect(problemsOf(lock)).toEqual([]);
    expect(readFileSync(lockPath(folder), 'utf8')).not.toMatch(/"resolved"|\/\/registry\.|\/\/npm\./);
  });

  test('a lock file matches the exact versions in the manifest', () => {
    const names = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      [name in (typeof names)[number]]?: Record<string, string>;
    };
    const wanted = names.flatMap((name) => Object.entries(manifest[name] ?? {}));
    expect(wanted.length).toBeGreaterThan(0);
    for (const [name, value] of wanted) {
      const version = value.replace(/^npm:.+@/, '');
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(lock.packages[`node_modules/${name}`]?.version).toBe(version);
    }
  });
});

test('the check reports missing hashes, weak hashes and URLs, but folders of the repository need no hash', () => {
  const lock: LockFile = {
    packages: {
      '': { version: '1.0.0' },
      'node_modules/good': { version: '1.0.0', integrity: HASH },
      'node_modules/own': { link: true },
      'node_modules/a/node_modules/@scope/none': { version: '2.0.0' },
      'node_modules/weak': { version: '1.0.0', integrity: 'sha1-AAAA' },
      'node_modules/addressed': { version: '1.0.0', integrity: HASH, resolved: 'https://npm.invalid/addressed.tgz' },
    },
  };
  expect(problemsOf(lock)).toEqual([
    '@scope/none@2.0.0 has no SHA-512',
    'weak@1.0.0 has no SHA-512',
    'https://npm.invalid/addressed.tgz reveals the source of a package',
  ]);
});

test('a repair adds only missing hashes and removes URLs', () => {
  const entry = { version: '1.0.0', resolved: 'https://npm.invalid/x.tgz' };
  const packages: LockFile['packages'] = {
    'node_modules/kept': { ...entry, integrity: HASH },
    'node_modules/alias': { ...entry, name: 'real' },
  };
  const asked: string[] = [];
  mend({ packages }, (name) => {
    asked.push(name);
    return HASH;
  });
  expect(asked).toEqual(['real@1.0.0']);
  expect(problemsOf({ packages })).toEqual([]);
});

test('each major version of n8n is pinned to one exact version', () => {
  expect(MAJORS).toEqual([2, 1]);
  for (const major of MAJORS) expect(versionOf(major)).toMatch(new RegExp(`^${major}\\.\\d+\\.\\d+$`));
});

test('the Node.js version for n8n is pinned for every platform', () => {
  const { packages } = readLock(lockPath('host/node'));
  expect(Object.keys(NODE_PACKAGES).sort()).toEqual([
    'darwin-arm64',
    'darwin-x64',
    'linux-arm64',
    'linux-x64',
    'win32-x64',
  ]);
  for (const [platform, name] of Object.entries(NODE_PACKAGES)) {
    const entry = packages[`node_modules/${name}`] as { version: string; os: string; cpu: string } | undefined;
    expect(`${entry?.os}-${entry?.cpu}`).toBe(platform);
    expect(entry?.version).toMatch(new RegExp(`^${NODE_MAJOR}\\.`));
  }
});
