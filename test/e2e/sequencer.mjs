import TestSequencer from '@jest/test-sequencer';

import { byPlaceIn } from '../jest/sequencer.mjs';

/** Test files that run for minutes, longest first. */
const LONG = ['trigger', 'privacy', 'payments', 'agents', 'queue-kills', 'examples', 'money'].map(
  (name) => `${name}.test.ts`,
);

/** Tests the newest n8n version first, because the older version may still be installing. */
export default class extends TestSequencer {
  sort(tests) {
    const byPlace = byPlaceIn(LONG);
    const major = ({ context }) => context.config.globals.N8N_MAJOR;
    return [...super.sort(tests)].sort((one, other) => major(other) - major(one) || byPlace(one, other));
  }
}
