import { basename } from 'node:path';

import TestSequencer from '@jest/test-sequencer';

/** Longest test files. Started last, one of them would run alone while the other workers wait. */
const LONG = ['simulator', 'panels', 'every-operation', 'life', 'unreadable-lists', 'new-rows', 'generated'].map(
  (name) => `${name}.test.ts`,
);

/** Returns a comparison that puts the test files with these names first, in their order. */
export function byPlaceIn(names) {
  const place = ({ path }) => (names.includes(basename(path)) ? names.indexOf(basename(path)) : names.length);
  return (one, other) => place(one) - place(other);
}

/** Starts the longest test files first. Without a cache, Jest knows only the size of a file. */
export default class extends TestSequencer {
  sort(tests) {
    return [...super.sort(tests)].sort(byPlaceIn(LONG));
  }
}
