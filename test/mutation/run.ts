import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { runCommand } from '../../host/command';
import { root } from '../../host/paths';
import { installTools, mutationFolder, type Tools } from './install';
import { addUp, percentOf, readReport, summaryLine, type FileResult } from './report';
import { readTargets, type Target } from './targets';

/** Fewer noticed mutants, in percent of all, end the command with status 1. */
const LEAST_PERCENT = 90;
/** A test that waits longer than this for a mutant has noticed it, in milliseconds. */
const TEST_TIMEOUT_MS = 15_000;
/** So much longer than without a mutant may the tests of a file take, in milliseconds; a shared processor needs some. */
const MUTANT_TIMEOUT_MS = 20_000;

const USAGE = `Usage: npm run test:mutation -- [options] [file ...]

  file                 only these files, e.g. "retry" or "fields/date"; all when none is named
  --concurrency <n>    how many mutants at once (default 2)
  --help               show this text`;

const say = (message: string) => console.log(message);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { concurrency: { type: 'string', default: '2' }, help: { type: 'boolean' } },
  });
  if (values.help) return say(USAGE);
  const targets = readTargets(positionals);
  const tools = await installTools(say);
  const results: FileResult[] = [];
  for (const target of targets) {
    const result = await mutate(target, tools, Number(values.concurrency));
    say(summaryLine(result.file, result.score));
    results.push(result);
  }
  const total = addUp(results.map(({ score }) => score));
  say(summaryLine('All', total));
  const survivors = results.flatMap((result) => result.survivors);
  if (survivors.length > 0) say(`\nNo test noticed:\n${survivors.join('\n')}`);
  if (percentOf(total) >= LEAST_PERCENT) return;
  say(`\nAt least ${LEAST_PERCENT} % of the mutants have to be noticed.`);
  process.exitCode = 1;
}

/** Changes one file in every way that StrykerJS knows, and runs the file's own tests against each change. */
async function mutate({ file, tests }: Target, tools: Tools, concurrency: number): Promise<FileResult> {
  const name = basename(file, '.ts');
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
      config: { testMatch: tests.map((test) => `<rootDir>/${test}`), testTimeout: TEST_TIMEOUT_MS },
    },
    coverageAnalysis: 'perTest',
    concurrency,
    timeoutMS: MUTANT_TIMEOUT_MS,
    reporters: ['json', 'html'],
    jsonReporter: { fileName: relative(root, report) },
    htmlReporter: { fileName: relative(root, join(folder, 'report.html')) },
    tempDirName: relative(root, join(folder, 'sandbox')),
    cleanTempDir: 'always',
    // The copy lies inside the repository, so it finds the packages above it.
    symlinkNodeModules: false,
    ignorePatterns: ['.data', 'dist', 'docs/images', 'host/node_modules'],
    allowConsoleColors: false,
  };
  writeFileSync(config, JSON.stringify(options, undefined, 2));
  await runCommand(
    `mutation-${name}`,
    { file: process.execPath, args: [tools.stryker, 'run', config] },
    {
      onTick: (seconds) => (seconds % 60 === 0 ? say(`  ${name}: ${seconds} s`) : undefined),
    },
  );
  return readReport(report);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
