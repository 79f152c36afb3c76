import unit from './jest.config.mjs';

/** The end-to-end tests with a real n8n. Files run one after the other, because each starts its own host. */
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
  // Allows time for the installation of n8n.
  testTimeout: 900_000,
};
