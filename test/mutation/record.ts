import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { percentOf, type FileResult, type Score } from './report';
import type { Target } from './targets';

/** The recorded score of each file, with the digest of the file and its tests. */
export type MutationRecord = Partial<Record<string, Score & Pick<FileResult, 'survivors'> & Pick<Target, 'digest'>>>;

const recordFile = join(__dirname, 'record.json');

/** Reads the scores that are kept in the repository. */
export const readRecord = (): MutationRecord =>
  existsSync(recordFile) ? (JSON.parse(readFileSync(recordFile, 'utf8')) as MutationRecord) : {};

/** Returns whether the file or its tests have changed since the score was recorded. A file without a score has not. */
export function hasChanged(record: MutationRecord, { file, digest }: Target): boolean {
  const { [file]: recorded } = record;
  return recorded !== undefined && recorded.digest !== digest;
}

/** Returns the lowest percentage that the file may have: the recorded one where that is below the usual limit. */
export function leastPercent(record: MutationRecord, file: string, usual: number): number {
  const { [file]: recorded } = record;
  return recorded ? Math.min(usual, percentOf(recorded)) : usual;
}

/** Writes the score of one file next to the others, in the order of their names. */
export function writeRecord({ file, digest }: Target, { score, survivors }: FileResult): void {
  const record = { ...readRecord(), [file]: { digest, ...score, survivors } };
  const sorted = Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(recordFile, `${JSON.stringify(sorted, undefined, 2)}\n`);
}
