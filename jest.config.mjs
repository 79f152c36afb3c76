import { availableParallelism } from 'node:os';

/** Packages that have no CommonJS, which is all that jest can load. */
const modulesOnly = 'get-port';

/** Everything `npm test` runs: unit, contract, sandbox and workflow tests. The end-to-end tests have a configuration of their own. */
export default {
  testEnvironment: '<rootDir>/test/jest/environment.cjs',
  runtime: '<rootDir>/test/jest/runtime.cjs',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
  transform: {
    '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json', diagnostics: false }],
    [`node_modules[/\\\\](${modulesOnly})[/\\\\].+\\.js$`]: [
      'ts-jest',
      { tsconfig: { module: 'commonjs', target: 'es2022', esModuleInterop: true, allowJs: true }, diagnostics: false },
    ],
  },
  transformIgnorePatterns: [`[/\\\\]node_modules[/\\\\](?!(${modulesOnly})[/\\\\])`],
  modulePathIgnorePatterns: ['<rootDir>/.data/', '<rootDir>/dist/', '<rootDir>/host/node_modules/'],
  // Only what hangs takes as long, also on a slow machine.
  testTimeout: 120_000,
  // n8n-core is loaded anew for each file, and not all of it is ever freed: a worker that has grown is replaced.
  maxWorkers: Math.max(2, availableParallelism()),
  workerIdleMemoryLimit: '1GB',
};
