import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { root } from '../../host/paths';

const SHIPPED = 'nodes/PaymentPlatform';

/** Files in which one wrong character could move money twice, report a wrong outcome or reveal a card number. */
const FILES: Record<string, string[]> = {
  fields: ['detect-mistyped'],
  'fields/kinds': ['number', 'date'],
  limits: ['check-guards', 'tool-guards', 'total', 'budget', 'day-report'],
  lookup: ['note-before-sending', 'lost-answers', 'match-records', 'baseline', 'find-duplicate'],
  messages: ['scrubber', 'earlier-tries'],
  model: ['read-amounts', 'write-memory', 'failure', 'item-steps'],
  once: ['memory', 'tool-memory', 'digests', 'identify-write', 'journal', 'dedup-row', 'journal-keys', 'once-keys'],
  output: ['output-items', 'tool-answer'],
  resources: ['merge-with-current', ...footprintsOfResources()],
  'resources/api': ['money'],
  run: [
    'read-options',
    'plan-item',
    'process-write',
    'decide-request',
    'process-request',
    'attempt-write',
    'write-results',
  ],
  service: [
    'retry-rules',
    'send-with-retries',
    'gate',
    'arrival-queue',
    'fetch-list',
    'decode-response',
    'look-up',
  ],
  shared: ['digits', 'privacy'],
  trigger: ['delivery-dedup', 'signature', 'registration'],
};

/** Folders with tests that are fast enough to run for every mutant. */
const TEST_FOLDERS = ['test/unit', 'test/trigger'];

/** Files that only tests of the whole node cover. Each of their mutants loads n8n-core once. */
const BY_THE_NODE: Record<string, string[]> = {
  'run/process-write': ['run/steps', 'once/repetition', 'once/open-tries', 'lookup/look-ups'].map(workflowTest),
  'run/attempt-write': ['once/repetition', 'once/once-keys', 'run/stops'].map(workflowTest),
  'run/write-results': ['once/repetition', 'once/open-tries', 'run/stops', 'lookup/look-ups'].map(workflowTest),
  'service/look-up': ['test/workflow/run/steps.test.ts'],
  'service/fetch-list': ['test/unit/service/fetch-pages.test.ts'],
  'run/process-request': ['once/repetition', 'once/open-tries', 'run/stops', 'once/once-keys', 'lookup/look-ups'].map(
    workflowTest,
  ),
  'once/journal-keys': ['test/unit/once/journal.test.ts'],
  'lookup/lost-answers': ['look-ups', 'look-ups-retries', 'look-ups-later', 'look-ups-in-flight']
    .map((name) => `lookup/${name}`)
    .map(workflowTest),
  'lookup/match-records': ['lookup/look-ups', 'lookup/namesakes', 'lookup/numbered-alike', 'once/loops-of-states'].map(
    workflowTest,
  ),
};

/** A file to mutate and the tests that must detect its mutants. Paths are relative to the repository. */
export interface Target {
  file: string;
  tests: string[];
  /** SHA-256 of the file and its tests. The recorded score is valid while the digest is the same. */
  digest: string;
}

/**
 * Returns the files to mutate, each with the tests that import it directly. Indirect tests don't count, because a
 * file's own tests must prove its rules.
 * @param names names or paths without extension. An empty list selects all files.
 * @throws Error for an unknown name, a missing file or a file without tests.
 */
export function readTargets(names: string[]): Target[] {
  const all = Object.entries(FILES).flatMap(([folder, files]) => files.map((file) => `${folder}/${file}`));
  const gone = all.filter((path) => !existsSync(join(root, SHIPPED, `${path}.ts`)));
  if (gone.length > 0) throw new Error(`There is no ${gone.join(', no ')} in ${SHIPPED} any more.`);
  for (const name of names) if (!all.some((path) => isCalled(path, name))) throw new Error(unknownName(name, all));
  const chosen = names.length === 0 ? all : all.filter((path) => names.some((name) => isCalled(path, name)));
  return chosen.map((path) => {
    const file = `${SHIPPED}/${path}.ts`;
    const tests = testsOf(path);
    return { file, tests, digest: digestOf([file, ...tests]) };
  });
}

function footprintsOfResources(): string[] {
  return readdirSync(join(root, SHIPPED, 'resources'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(root, SHIPPED, 'resources', entry.name, 'footprint.ts')))
    .map(({ name }) => `${name}/footprint`)
    .sort();
}

function digestOf(files: string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\n${readFileSync(join(root, file), 'utf8')}\n`);
  return hash.digest('hex').slice(0, 16);
}

function workflowTest(name: string): string {
  return `test/workflow/${name}.test.ts`;
}

const isCalled = (path: string, name: string) => path === name || basename(path) === name;

const unknownName = (name: string, all: string[]) => `No file is called "${name}". Known: ${all.join(', ')}.`;

function testsOf(path: string): string[] {
  const imported = `/${SHIPPED}/${path}'`;
  const tests = TEST_FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => `${folder}/${file}`),
  ).filter((file) => readFileSync(join(root, file), 'utf8').includes(imported));
  tests.push(...(BY_THE_NODE[path] ?? []));
  if (tests.length === 0) throw new Error(`No test in ${TEST_FOLDERS.join(' or ')} imports ${SHIPPED}/${path}.ts.`);
  return tests;
}
