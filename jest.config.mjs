import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** Package that Jest must convert to CommonJS, because it contains only ES modules. */
const modulesOnly = 'get-port';

const shared = {
  testEnvironment: '<rootDir>/test/jest/environment.cjs',
  runtime: '<rootDir>/test/jest/runtime.cjs',
  transform: {
    '^.+\\.ts$': '<rootDir>/test/jest/transform.cjs',
    [`node_modules[/\\\\](${modulesOnly})[/\\\\].+\\.js$`]: '<rootDir>/test/jest/transform.cjs',
  },
  transformIgnorePatterns: [`[/\\\\]node_modules[/\\\\](?!(${modulesOnly})[/\\\\])`],
  modulePathIgnorePatterns: ['<rootDir>/.data/', '<rootDir>/dist/', '<rootDir>/host/node_modules/'],
};

const unit = {
  ...shared,
  testSequencer: '<rootDir>/test/jest/sequencer.mjs',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/', '<rootDir>/test/browser/'],
  // Allows enough time on a slow machine. Only a hanging test reaches the limit.
  testTimeout: 300_000,
  // Restarts memory-heavy workers, because Jest frees only part of the memory between test files.
  maxWorkers: Math.max(2, availableParallelism()),
  workerIdleMemoryLimit: '1GB',
};

const source = (path) => readFileSync(path, 'utf8');
const inRoot = (path) => `<rootDir>/${path.replaceAll('\\', '/')}`;

/** Test files for which `npm run test:deep` generates more test cases. */
const deepTests = () =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((path) => join('test', path))
    .filter((path) => path.endsWith('.test.ts') && /from '[./]+\/(quantity|steps)'/.test(source(path)));

/** Time limit of a test with a real n8n, which includes the installation of n8n. */
const REAL_N8N_MS = 900_000;

const endToEndTests = () =>
  ['test/e2e', 'test/host'].flatMap((folder) =>
    readdirSync(folder)
      .map((name) => `${folder}/${name}`)
      .filter((path) => path.endsWith(folder === 'test/e2e' ? '.test.ts' : '.e2e.ts')),
  );

/** Major versions to test, newest first. The environment variable N8N_MAJOR selects one. */
const majors = [2, 1].filter((major) => [undefined, '', String(major)].includes(process.env.N8N_MAJOR));

/** Runs test files in the older version of n8n only if their titles contain the version. */
const hostProject = (major, index) => ({
  ...shared,
  displayName: `n8n ${major}`,
  globals: { N8N_MAJOR: major },
  globalSetup: '<rootDir>/test/e2e/prepare.ts',
  testMatch: endToEndTests()
    .filter((path) => index === 0 || source(path).includes('${version}'))
    .map(inRoot),
});

const SPEED = '<rootDir>/test/browser/speed.test.ts';

// All browser tests share one demo.
const browser = {
  ...shared,
  testEnvironment: '<rootDir>/test/jest/browser-environment.cjs',
  roots: ['<rootDir>/test/browser'],
  globalSetup: '<rootDir>/test/browser/prepare.ts',
  globalTeardown: '<rootDir>/test/browser/finish.ts',
  testTimeout: REAL_N8N_MS,
};

/**
 * Projects by name. Jest applies time limits, workers and the order of test files to a whole run, so each run has one
 * project, which the environment variable TEST_PROJECT selects (host/setup.mjs).
 */
const projects = {
  unit: () => unit,
  deep: () => ({ ...unit, testMatch: deepTests().map(inRoot), testTimeout: 600_000 }),
  browser: () => ({
    ...browser,
    testMatch: ['**/*.test.ts'],
    testPathIgnorePatterns: ['/node_modules/', SPEED],
    maxWorkers: 3,
  }),
  // Measures processor times, which other tests would change.
  speed: () => ({ ...browser, testMatch: [SPEED], maxWorkers: 1 }),
  // Four test files run in parallel, because the tests spend most of their time waiting.
  e2e: () => ({
    projects: majors.map(hostProject),
    testSequencer: '<rootDir>/test/e2e/sequencer.mjs',
    maxWorkers: 4,
    testTimeout: REAL_N8N_MS,
  }),
};

export default projects[process.env.TEST_PROJECT ?? 'unit']();
