import { readFileSync } from 'node:fs';

import TestSequencer from '@jest/test-sequencer';

/** Test files that run on every version of n8n come last: the older version is still being installed when tests begin. */
const isForAll = ({ path }) => readFileSync(path, 'utf8').includes('describe.each(hosts)');

export default class extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter((test) => !isForAll(test)), ...sorted.filter(isForAll)];
  }
}
