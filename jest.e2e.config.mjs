import unit from './jest.config.mjs';

/**
 * The end-to-end tests with a real n8n. Three files run at once, because each has its own n8n, sandbox and ports, and
 * spends much of its time waiting for retries and timeouts.
 */
export default {
  ...unit,
  testEnvironment: 'node',
  runtime: undefined,
  roots: ['<rootDir>/test/e2e', '<rootDir>/test/host'],
  testMatch: ['<rootDir>/test/e2e/*.test.ts', '**/*.e2e.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/e2e/prepare.ts',
  testSequencer: '<rootDir>/test/e2e/sequencer.mjs',
  maxWorkers: 3,
  workerIdleMemoryLimit: undefined,
  // Allows time for the installation of n8n.
  testTimeout: 900_000,
};
