import { readdirSync, readFileSync } from 'node:fs';

import unit from './jest.config.mjs';

const { testEnvironment, runtime, transform, transformIgnorePatterns, modulePathIgnorePatterns } = unit;

/** Time limit that includes the installation of n8n. Jest ignores time limits in project configurations. */
export const TIMEOUT_MS = 900_000;

export const realN8n = {
  testEnvironment,
  runtime,
  transform,
  transformIgnorePatterns,
  modulePathIgnorePatterns,
};

const files = ['test/e2e', 'test/host'].flatMap((folder) =>
  readdirSync(folder)
    .map((name) => `${folder}/${name}`)
    .filter((path) => (folder === 'test/e2e' ? path.endsWith('.test.ts') : path.endsWith('.e2e.ts'))),
);
/** Test files whose titles contain the version of n8n. */
const forEveryVersion = files.filter((path) => readFileSync(path, 'utf8').includes('${version}'));

/** Major versions to test, newest first. The environment variable N8N_MAJOR selects one. */
const majors = [2, 1].filter((major) => [undefined, '', String(major)].includes(process.env.N8N_MAJOR));

const project = (major, index) => ({
  ...realN8n,
  displayName: `n8n ${major}`,
  globals: { N8N_MAJOR: major },
  globalSetup: '<rootDir>/test/e2e/prepare.ts',
  testMatch: (index === 0 ? files : forEveryVersion).map((path) => `<rootDir>/${path}`),
});

/**
 * Configuration of the end-to-end tests. Four test files run in parallel, because the tests spend most of their time
 * waiting.
 */
export default {
  projects: majors.map(project),
  testSequencer: '<rootDir>/test/e2e/sequencer.mjs',
  maxWorkers: 4,
  testTimeout: TIMEOUT_MS,
};
