import { availableParallelism } from 'node:os';

/** Package that Jest must convert to CommonJS, because it contains only ES modules. */
const modulesOnly = 'get-port';

/** Configuration of `npm test`, which excludes end-to-end tests. */
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
  // Allows enough time on a slow machine. Only a hanging test reaches the limit.
  testTimeout: 120_000,
  // Restarts memory-heavy workers, because Jest frees only part of the memory between test files.
  maxWorkers: Math.max(2, availableParallelism()),
  workerIdleMemoryLimit: '1GB',
};
