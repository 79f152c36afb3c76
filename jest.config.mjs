import { availableParallelism } from 'node:os';

/** jest can load only CommonJS, and these packages don't provide it. */
const modulesOnly = 'get-port';

/**
 * Tests of `npm test`: unit, contract, sandbox and workflow tests. The end-to-end tests have their own configuration.
 */
export default {
  testEnvironment: '<rootDir>/test/jest/environment.cjs',
  runtime: '<rootDir>/test/jest/runtime.cjs',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/', '<rootDir>/test/browser/'],
  transform: {
    '^.+\\.ts$': '<rootDir>/test/jest/transform.cjs',
    [`node_modules[/\\\\](${modulesOnly})[/\\\\].+\\.js$`]: '<rootDir>/test/jest/transform.cjs',
  },
  transformIgnorePatterns: [`[/\\\\]node_modules[/\\\\](?!(${modulesOnly})[/\\\\])`],
  modulePathIgnorePatterns: ['<rootDir>/.data/', '<rootDir>/dist/', '<rootDir>/host/node_modules/'],
  // Only a hanging test takes this long, even on a slow machine.
  testTimeout: 120_000,
  // Replaces a worker that uses much memory, because jest frees only part of the memory between files.
  maxWorkers: Math.max(2, availableParallelism()),
  workerIdleMemoryLimit: '1GB',
};
