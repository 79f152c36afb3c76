import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../host/paths';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
  devDependencies: Record<string, string>;
};
/** Command names of packages whose command differs from the package name. */
const PROGRAMS: Record<string, string> = {
  '@redocly/cli': 'redocly',
  'dependency-cruiser': 'depcruise',
  typescript: 'tsc',
};

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const code = listed
  .split('\0')
  .filter((path) => /\.(ts|js|mjs|cjs)$/.test(path))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');
const commands = Object.values(manifest.scripts).join('\n');

const isNamed = (name: string) => ["'", '`', '/'].some((end) => code.includes(`'${name}${end}`));
const isCalled = (name: string) => new RegExp(`(^|[ &])${PROGRAMS[name] ?? name}( |$)`, 'm').test(commands);
const described = (name: string) => name.replace(/^@types\//, '');
const isUsed = (name: string) =>
  isNamed(described(name)) || isCalled(described(name)) || isTextRule(name) || BUILT_IN.includes(name);
/** The textlint configuration omits the prefix of a rule's package name. */
const textRules = (JSON.parse(readFileSync(join(root, '.ci/textlint.json'), 'utf8')) as { rules: object }).rules;
const isTextRule = (name: string) =>
  name.startsWith('textlint-rule-') && Object.hasOwn(textRules, name.slice('textlint-rule-'.length));
const BUILT_IN = ['@types/node'];

test('every development package is imported or used by a script', () => {
  const names = Object.keys(manifest.devDependencies);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !isUsed(name))).toEqual([]);
});
