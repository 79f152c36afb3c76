import { basename } from 'node:path';

import TestSequencer from '@jest/test-sequencer';

/** Test files that run for minutes, longest first. Starting a long file last would leave the other processes idle. */
const LONG = ['trigger', 'privacy', 'payments', 'agents', 'queue-kills', 'examples', 'money'].map(
  (name) => `${name}.test.ts`,
);

/**
 * Runs the tests of the newest n8n version first, because the older version may still be installing. For each version,
 * starts the longest files first.
 */
export default class extends TestSequencer {
  sort(tests) {
    const place = ({ path }) => (LONG.includes(basename(path)) ? LONG.indexOf(basename(path)) : LONG.length);
    const major = ({ context }) => context.config.globals.N8N_MAJOR;
    return [...super.sort(tests)].sort((one, other) => major(other) - major(one) || place(one) - place(other));
  }
}
