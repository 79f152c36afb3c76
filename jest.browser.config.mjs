import { realN8n, TIMEOUT_MS } from './jest.e2e.config.mjs';

/** Configuration for tests that use `npm start` in Chromium. All test files share one demo. */
export default {
  ...realN8n,
  testEnvironment: '<rootDir>/test/jest/browser-environment.cjs',
  roots: ['<rootDir>/test/browser'],
  testMatch: ['**/*.test.ts'],
  globalSetup: '<rootDir>/test/browser/prepare.ts',
  globalTeardown: '<rootDir>/test/browser/finish.ts',
  maxWorkers: 3,
  testTimeout: TIMEOUT_MS,
};
