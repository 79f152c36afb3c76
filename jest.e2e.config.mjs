import { readdirSync, readFileSync } from 'node:fs';

import unit from './jest.config.mjs';

const { transform, transformIgnorePatterns, modulePathIgnorePatterns } = unit;

/** Allows time for the installation of n8n. jest reads it only outside of projects. */
export const TIMEOUT_MS = 900_000;

/** Options of tests that drive a real n8n. */
export const realN8n = {
  testEnvironment: 'node',
  transform,
  transformIgnorePatterns,
  modulePathIgnorePatterns,
};

const files = ['test/e2e', 'test/host'].flatMap((folder) =>
  readdirSync(folder)
    .map((name) => `${folder}/${name}`)
    .filter((path) => (folder === 'test/e2e' ? path.endsWith('.test.ts') : path.endsWith('.e2e.ts'))),
);
/** Files that name the version of n8n in their titles are tests for every version. */
const forEveryVersion = files.filter((path) => readFileSync(path, 'utf8').includes('${version}'));

/** Versions to test, newest first. The environment variable N8N_MAJOR selects one. */
const majors = [2, 1].filter((major) => [undefined, '', String(major)].includes(process.env.N8N_MAJOR));

const project = (major, index) => ({
  ...realN8n,
  // Loads packages once per worker.
  testEnvironment: unit.testEnvironment,
  runtime: unit.runtime,
  displayName: `n8n ${major}`,
  globals: { N8N_MAJOR: major },
  globalSetup: '<rootDir>/test/e2e/prepare.ts',
  testMatch: (index === 0 ? files : forEveryVersion).map((path) => `<rootDir>/${path}`),
});

/**
 * The end-to-end tests with a real n8n, once for each major version. Four files run in parallel, because each has its
 * own n8n, sandbox and ports, and spends much of its time waiting for retries and timeouts.
 */
export default {
  projects: majors.map(project),
  testSequencer: '<rootDir>/test/e2e/sequencer.mjs',
  maxWorkers: 4,
  testTimeout: TIMEOUT_MS,
};
