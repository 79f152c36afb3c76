import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { root } from '../../host/paths';

const SHIPPED = 'nodes/PaymentPlatform';

/** What the promise rests on: where one wrong character moves money twice, tells an outcome wrongly or shows digits. */
const FILES: Record<string, string[]> = {
  pipeline: [
    'retry',
    'tries',
    'guard',
    'amounts',
    'read-guards',
    'tool-guard',
    'options',
    'total',
    'gate',
    'queue',
    'pace',
    'memory',
    'ledger',
    'digests',
    'identity',
    'remembered',
    'fetch-list',
    'fetch-pages',
    'plan',
    'decode',
    'outputs',
    'mask',
    'scrubber',
    'verdict',
    'tool-words',
    'steps',
    'look',
    'decided',
    'parts',
    'in-part',
  ],
  shared: ['digits', 'privacy'],
  'resources/api': ['money'],
  fields: ['number', 'rounded', 'date'],
  trigger: ['once', 'verification', 'registration'],
};

/** Folders with tests that are quick enough to be run for every mutant. */
const TEST_FOLDERS = ['test/unit', 'test/trigger'];

/** Files that are shown by the node as a whole only: their tests are slow, and each mutant costs a start of n8n-core. */
const BY_THE_NODE: Record<string, string[]> = {
  'pipeline/steps': ['test/workflow/steps.test.ts'],
  'pipeline/look': ['test/workflow/steps.test.ts'],
};

/** A file to be changed, and the tests that have to notice. Paths are relative to the repository. */
export interface Target {
  file: string;
  tests: string[];
}

/**
 * The files to mutate, each with the tests that import it by itself: what a rule of a file is must be shown by the
 * file's own tests, not by chance somewhere else.
 * @param names only these files, by name or by path without ending; all when empty.
 * @throws Error when a name fits no file, a file is gone, or nothing tests a file.
 */
export function readTargets(names: string[]): Target[] {
  const all = Object.entries(FILES).flatMap(([folder, files]) => files.map((file) => `${folder}/${file}`));
  const gone = all.filter((path) => !existsSync(join(root, SHIPPED, `${path}.ts`)));
  if (gone.length > 0) throw new Error(`There is no ${gone.join(', no ')} in ${SHIPPED} any more.`);
  for (const name of names) if (!all.some((path) => isCalled(path, name))) throw new Error(unknownName(name, all));
  const chosen = names.length === 0 ? all : all.filter((path) => names.some((name) => isCalled(path, name)));
  return chosen.map((path) => ({ file: `${SHIPPED}/${path}.ts`, tests: testsOf(path) }));
}

const isCalled = (path: string, name: string) => path === name || basename(path) === name;

const unknownName = (name: string, all: string[]) => `No file is called "${name}". Known: ${all.join(', ')}.`;

function testsOf(path: string): string[] {
  const imports = `from '../../${SHIPPED}/${path}'`;
  const tests = TEST_FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => `${folder}/${file}`),
  ).filter((file) => readFileSync(join(root, file), 'utf8').includes(imports));
  tests.push(...(BY_THE_NODE[path] ?? []));
  if (tests.length === 0) throw new Error(`No test in ${TEST_FOLDERS.join(' or ')} imports ${SHIPPED}/${path}.ts.`);
  return tests;
}
