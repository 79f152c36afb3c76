import { basename } from 'node:path';

import TestSequencer from '@jest/test-sequencer';

/** Test files that run for minutes, longest first. */
const LONG = ['trigger', 'privacy', 'payments', 'agents', 'queue-kills', 'examples', 'money'].map(
  (name) => `${name}.test.ts`,
);

/** Tests the newest n8n version first, because the older version may still be installing. */
export default class extends TestSequencer {
  sort(tests) {
    const place = ({ path }) => (LONG.includes(basename(path)) ? LONG.indexOf(basename(path)) : LONG.length);
    const major = ({ context }) => context.config.globals.N8N_MAJOR;
    return [...super.sort(tests)].sort((one, other) => major(other) - major(one) || place(one) - place(other));
  }
}
