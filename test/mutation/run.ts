import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { runCommand } from '../../host/command';
import { root } from '../../host/paths';
import { installTools, mutationFolder, type Tools } from './install';
import { digestOf, hasChanged, LEAST_PERCENT, readRecord, writeRecord } from './record';
import { addUp, percentOf, readReport, summaryLine, type FileResult } from './report';
import { readTargets, type Target } from './targets';

/** Time limit of a test in milliseconds. A test that exceeds the limit detects the mutant. */
const TEST_TIMEOUT_MS = 10_000;
/** Additional time in milliseconds for the tests of a mutant on a slow processor. */
const MUTANT_TIMEOUT_MS = 10_000;

const USAGE = `Usage: npm run test:mutation -- [options] [file ...]

  file                 only these files, e.g. "retry" or "fields/kinds/date"; all when none is named
  --changed            only files whose code or tests changed since their score was recorded
  --minutes <n>        stop after so many minutes, and list the files that were left out
  --record             write the scores to test/mutation/record.json
  --concurrency <n>    number of mutants tested at once (default 2)
  --help               show this text`;

const say = (message: string) => console.log(message);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: {
      changed: { type: 'boolean' },
      minutes: { type: 'string' },
      record: { type: 'boolean' },
      concurrency: { type: 'string', default: '2' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return say(USAGE);
  const record = readRecord();
  const named = readTargets(positionals);
  const targets = values.changed ? rotated(named.filter((target) => hasChanged(record, target))) : named;
  if (targets.length === 0) return say('No file changed since its score was recorded.');
  const tools = await installTools(say);
  const results: FileResult[] = [];
  const end = values.minutes === undefined ? undefined : AbortSignal.timeout(Number(values.minutes) * 60_000);
  for (const [index, target] of targets.entries()) {
    // Computes the digest first, because the file may change during the measurement.
    const digest = digestOf(target);
    const result = await mutate(target, tools, Number(values.concurrency), values.record === true, end);
    if (!result) {
      const left = targets.slice(index).map(({ file }) => file);
      say(`Files left out, because ${values.minutes} minutes are over: ${left.join(', ')}`);
      break;
    }
    say(summaryLine(result.file, result.score));
    for (const survivor of result.survivors) say(`  not noticed: ${survivor}`);
    results.push(result);
    if (values.record) writeRecord(result, digest, readTargets([]));
  }
  if (results.length > 0) say(summaryLine('All', addUp(results.map(({ score }) => score))));
  const weak = results.filter(({ score }) => percentOf(score) < LEAST_PERCENT);
  if (weak.length === 0) return;
  say(`\nThe tests must notice ${LEAST_PERCENT} % of the mutants of ${weak.map(({ file }) => file).join(', ')}.`);
  process.exitCode = 1;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Starts with a different file each day, so that CI measures every file despite its time limit. */
function rotated(targets: Target[]): Target[] {
  const first = Math.floor(Date.now() / DAY_MS) % Math.max(1, targets.length);
  return [...targets.slice(first), ...targets.slice(0, first)];
}

/**
 * Tests all mutants of one file with the file's own tests.
 * @param isComplete if true, ignores old results.
 * @param end stops the test. The function then returns `undefined`.
 */
async function mutate(
  { file, tests }: Target,
  tools: Tools,
  concurrency: number,
  isComplete: boolean,
  end: AbortSignal | undefined,
): Promise<FileResult | undefined> {
  const name = relative('nodes/PaymentPlatform', file).replace(/\.ts$/, '').replaceAll('/', '-');
  const folder = join(mutationFolder, name);
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'stryker.config.json');
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const options = {
    mutate: [file],
    testRunner: 'jest',
    plugins: [tools.jestRunner],
    jest: {
      configFile: 'jest.config.mjs',
      enableFindRelatedTests: false,
      config: {
        // Limits the roots, because jest lists all files in the roots before each mutant.
        roots: [...new Set(tests.map((test) => `<rootDir>/${dirname(test)}`))],
        testMatch: tests.map((test) => `<rootDir>/${test}`),
        testTimeout: TEST_TIMEOUT_MS,
        // StrykerJS doesn't replace <rootDir> in the path of the test environment.
        testEnvironment: join(root, 'test/jest/environment.cjs'),
      },
    },
    incremental: true,
    force: isComplete,
    incrementalFile: relative(root, join(folder, 'incremental.json')),
    coverageAnalysis: 'perTest',
    concurrency,
    timeoutMS: MUTANT_TIMEOUT_MS,
    reporters: ['json', 'html'],
    jsonReporter: { fileName: relative(root, report) },
    htmlReporter: { fileName: relative(root, join(folder, 'report.html')) },
    tempDirName: relative(root, join(folder, 'sandbox')),
    cleanTempDir: 'always',
    // Needs no symlink, because Node.js finds node_modules in a parent folder.
    symlinkNodeModules: false,
    ignorePatterns: ['.data', 'dist', 'docs/images', 'host/node_modules'],
    allowConsoleColors: false,
  };
  writeFileSync(config, JSON.stringify(options, undefined, 2));
  const command = { file: process.execPath, args: [tools.stryker, 'run', config] };
  const onTick = (seconds: number) => (seconds % 60 < 5 ? say(`  ${name}: ${seconds} s`) : undefined);
  try {
    await runCommand(`mutation-${name}`, command, { onTick, signal: end });
  } catch (error) {
    if (end?.aborted) return undefined;
    throw error;
  }
  return readReport(report);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
