import { realN8n, TIMEOUT_MS } from './jest.e2e.config.mjs';

/**
 * Configuration of tests that operate `npm start` in Chromium. All test files share one demo, but each file uses its
 * own workflows.
 */
export default {
  ...realN8n,
  roots: ['<rootDir>/test/browser'],
  testMatch: ['**/*.test.ts'],
  globalSetup: '<rootDir>/test/browser/prepare.ts',
  globalTeardown: '<rootDir>/test/browser/finish.ts',
  maxWorkers: 3,
  testTimeout: TIMEOUT_MS,
};
