import unit from './jest.config.mjs';

/** The end-to-end tests: a real n8n, one file after the other, since each starts a host of its own. */
export default {
  ...unit,
  testEnvironment: 'node',
  runtime: undefined,
  roots: ['<rootDir>/test/e2e', '<rootDir>/test/host'],
  testMatch: ['<rootDir>/test/e2e/*.test.ts', '**/*.e2e.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/e2e/prepare.ts',
  testSequencer: '<rootDir>/test/e2e/sequencer.mjs',
  maxWorkers: 1,
  workerIdleMemoryLimit: undefined,
  // Long enough to wait for the installation of an n8n.
  testTimeout: 900_000,
};
