import { basename } from 'node:path';

import TestSequencer from '@jest/test-sequencer';

/** Files that take minutes, longest first. If one of them started last, the other processes would wait for it. */
const LONG = ['trigger', 'privacy', 'payments', 'agents', 'queue-kills', 'examples', 'money'].map(
  (name) => `${name}.test.ts`,
);

/**
 * Runs the tests of the newest n8n first, because the older version is still being installed when the tests start. Within
 * a version, long files run first.
 */
export default class extends TestSequencer {
  sort(tests) {
    const place = ({ path }) => (LONG.includes(basename(path)) ? LONG.indexOf(basename(path)) : LONG.length);
    const major = ({ context }) => context.config.globals.N8N_MAJOR;
    return [...super.sort(tests)].sort((one, other) => major(other) - major(one) || place(one) - place(other));
  }
}
