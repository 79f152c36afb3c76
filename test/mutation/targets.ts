import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { root } from '../../host/paths';

const SHIPPED = 'nodes/PaymentPlatform';

/** Files in which a small mistake could move money twice, report a wrong outcome or reveal a card number. */
const FILES: Record<string, string[]> = {
  fields: ['detect-mistyped'],
  'fields/kinds': ['number', 'date'],
  limits: allOf('limits', ['guard-parameters']),
  lookup: allOf('lookup', ['found-record']),
  messages: ['scrubber', 'earlier-attempts'],
  model: ['read-amounts', 'write-memory', 'failure', 'footprint', 'likeness', 'identity', 'candidates', 'operation'],
  n8n: ['lineage', 'key-row', 'preview'],
  once: allOf('once'),
  output: ['output-items', 'tool-answer'],
  resources: [
    ...['merge-with-current', 'api/money', 'transaction/day-records', 'transaction/report-record'],
    ...footprintsOfResources(),
  ],
  run: [
    'batch-items',
    'read-options',
    'plan-item',
    'process-write',
    'send-all',
    'decide-request',
    'process-read',
    'attempt-write',
    'write-results',
    'results-without-sending',
  ],
  service: [
    ...['retry-rules', 'send', 'gate', 'decode-response', 'look-up'],
    ...['fetch-list', 'page-seam', 'page-requests', 'check-gaps'],
  ],
  shared: ['digits', 'privacy'],
  trigger: ['delivery-dedup', 'signature', 'registration'],
};

/** Folders with tests that are fast enough to run for every mutant. */
const TEST_FOLDERS = ['test/unit', 'test/trigger'];

/** Excludes slow tests that check that run time grows linearly. */
const UNIT_TESTS = TEST_FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.endsWith('-linear.test.ts'))
    .map((file) => `${folder}/${file}`),
).map((test) => ({ test, text: readFileSync(join(root, test), 'utf8') }));

const OF_MEMORY = ['execution-memory', 'memory-amounts', 'memory-data', 'memory-statements', 'memory-evidence'].map(
  (name) => `test/unit/once/${name}.test.ts`,
);

const OF_LOOK_UPS = ['look-up-keys', 'lost-answers'].map((name) => `test/unit/lookup/${name}.test.ts`);

const OF_LISTS = ['fetch-list', 'fetch-pages', 'overlapping-pages', 'changing-lists'].map(
  (name) => `test/unit/service/${name}.test.ts`,
);

/** Tests for files that no listed test imports directly. */
const MORE_TESTS: Record<string, string[]> = {
  'fields/kinds/number': ['test/contract/currency-decimals.test.ts', 'test/unit/fields/numbers.test.ts'],
  'lookup/list-cache': OF_LOOK_UPS,
  'lookup/lost-answers': OF_LOOK_UPS,
  'messages/earlier-attempts': ['test/unit/model/operation.test.ts'],
  'run/decide-request': ['test/unit/model/operation.test.ts'],
  'run/process-read': ['test/unit/run/process-read.test.ts'],
  'service/fetch-list': OF_LISTS,
  'service/page-seam': [...OF_LISTS, 'test/unit/service/page-seam.test.ts'],
  'service/page-requests': OF_LISTS,
  'service/check-gaps': OF_LISTS,
  'service/look-up': ['test/workflow/run/steps.test.ts'],
  'once/once-per-key': ['test/unit/once/keys-in-parallel.test.ts'],
  'once/database-keys': ['test/unit/once/journal-attempts.test.ts'],
  'once/execution-marks': ['journal-attempts', 'recent-keys'].map((name) => `test/unit/once/${name}.test.ts`),
  'resources/transaction/report-record': ['charges', 'footprints'].map((name) => `test/unit/resources/${name}.test.ts`),
  'once/execution-memory': OF_MEMORY,
  'once/memory-entry': [...OF_MEMORY, 'test/unit/once/tool-memory.test.ts'],
  'shared/privacy': ['test/unit/messages/scrubber.test.ts'],
};

/** File to mutate, and the tests that must detect its mutants. */
export interface Target {
  file: string;
  tests: string[];
}

/**
 * Returns the files to mutate, each with the tests that import the file directly.
 * @param names names or paths without extension. An empty list selects all files.
 */
export function readTargets(names: string[]): Target[] {
  const all = Object.entries(FILES).flatMap(([folder, files]) => files.map((file) => `${folder}/${file}`));
  const gone = all.filter((path) => !existsSync(join(root, SHIPPED, `${path}.ts`)));
  if (gone.length > 0) throw new Error(`There is no ${gone.join(', no ')} in ${SHIPPED} any more.`);
  for (const name of names) if (!all.some((path) => isCalled(path, name))) throw new Error(unknownName(name, all));
  const chosen = names.length === 0 ? all : all.filter((path) => names.some((name) => isCalled(path, name)));
  return chosen.map((path) => ({ file: `${SHIPPED}/${path}.ts`, tests: testsOf(path) }));
}

function allOf(folder: string, except: string[] = []): string[] {
  const names = readdirSync(join(root, SHIPPED, folder)).map((name) => basename(name, '.ts'));
  return names.filter((name) => !except.includes(name)).sort();
}

/** Returns the paths of all footprint files, such as "transaction/charge-footprint". */
function footprintsOfResources(): string[] {
  const files = readdirSync(join(root, SHIPPED, 'resources'), { recursive: true, encoding: 'utf8' });
  const names = files.map((file) => file.replaceAll('\\', '/').replace(/\.ts$/, ''));
  return names.filter((name) => name.endsWith('footprint')).sort();
}

const isCalled = (path: string, name: string) => path === name || basename(path) === name;

const unknownName = (name: string, all: string[]) => `No file is called "${name}". Known: ${all.join(', ')}.`;

function testsOf(path: string): string[] {
  const imported = `/${SHIPPED}/${path}'`;
  const [room = ''] = path.split('/');
  const importing = UNIT_TESTS.filter(({ text }) => text.includes(imported));
  const own = importing.filter(({ test }) => test.split('/')[2] === room);
  const others = importing.filter(({ text }) => text.replace(/^import type [^;]*;/gm, '').includes(imported));
  const chosen = own.some((test) => others.includes(test)) ? own : others;
  const tests = [...new Set([...chosen.map(({ test }) => test), ...(MORE_TESTS[path] ?? [])])];
  if (tests.length === 0) throw new Error(`No test in ${TEST_FOLDERS.join(' or ')} imports ${SHIPPED}/${path}.ts.`);
  return tests;
}
