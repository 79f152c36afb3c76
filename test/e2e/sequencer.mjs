import { readFileSync } from 'node:fs';

import TestSequencer from '@jest/test-sequencer';

/**
 * Runs test files for every n8n version last, because the older version is still being installed when the tests start.
 */
const isForAll = ({ path }) => readFileSync(path, 'utf8').includes('describe.each(hosts)');

export default class extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter((test) => !isForAll(test)), ...sorted.filter(isForAll)];
  }
}
