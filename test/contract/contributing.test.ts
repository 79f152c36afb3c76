import { basename, dirname } from 'node:path';

import { paths, read } from './repository';

const page = read('CONTRIBUTING.md');
const section = (heading: string) => page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe('the steps to add an operation', () => {
  const steps = section('Add an operation');
  const files = [...steps.matchAll(/^\d\. `([^`]+)`/gm)].map(([, file = '']) => file);
  const [description = '', declaration = '', list = '', sandbox = ''] = files;
  const operationId = /wire\.(\w+)`/.exec(steps)?.[1] ?? '';

  test('name at most five files, which exist', () => {
    expect(files).toHaveLength(5);
    expect(files.filter((file) => !paths.includes(file))).toEqual([]);
  });

  test('quote the declaration', () => {
    const [, code = ''] = /^ {3}```ts\n([\s\S]*?)^ {3}```$/m.exec(steps) ?? [];
    expect(code).toMatch(/^ {3}export const \w+ = operation\(/);
    expect(read(declaration)).toContain(code.replace(/^ {3}/gm, ''));
  });

  test('name all files that a developer edits for the operation', () => {
    expect(read(description)).toContain(`operationId: ${operationId}\n`);
    expect(read(list)).toContain(`from './${basename(declaration, '.ts')}'`);
    expect(dirname(list)).toBe(dirname(declaration));
    const generated = /^nodes\/PaymentPlatform\/wire\/|^interface\/types\.d\.ts$/;
    const mentions = (path: string) => new RegExp(`\\b${operationId}\\b`).test(read(path));
    const written = paths.filter(
      (path) => /^(nodes|interface|sandbox)\/.*\.(ts|yaml)$/.test(path) && !generated.test(path) && mentions(path),
    );
    expect(written.filter((path) => !files.includes(path))).toEqual([]);
    expect(written).toContain(sandbox);
  });
});

test('the list of checks contains all scripts that check the code', () => {
  const listed = [...section('Checks').matchAll(/^\| `npm (?:run )?([\w:]+)`.*\| \d+ (?:s|minutes?)/gm)];
  const checks = Object.keys(scripts).filter((name) => /^(typecheck|lint|test|format:check)/.test(name));
  expect(listed.map(([, name = '']) => name).sort()).toEqual(checks.sort());
});

test('the page fits on two screens', () => {
  expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(100);
});
