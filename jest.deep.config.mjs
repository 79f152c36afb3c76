import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import unit from './jest.config.mjs';

process.env.TEST_DEEP = 'yes';

const source = (path) => readFileSync(join('test', path), 'utf8');

/** Test files for which `npm run test:deep` generates more test cases. */
const deepTests = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.test.ts') && /from '[./]+\/(quantity|steps)'/.test(source(path)),
);

export default {
  ...unit,
  testMatch: deepTests.map((path) => `<rootDir>/test/${path.replaceAll('\\', '/')}`),
  testTimeout: 600_000,
};
