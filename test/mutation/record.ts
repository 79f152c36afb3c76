import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { percentOf, type FileResult, type Score } from './report';
import type { Target } from './targets';

/** Recorded score of each file, with a digest of the file and its tests. */
export type MutationRecord = Partial<Record<string, Score & Pick<FileResult, 'survivors'> & Pick<Target, 'digest'>>>;

const recordFile = join(__dirname, 'record.json');

/** Reads the scores recorded in the repository. */
export const readRecord = (): MutationRecord =>
  existsSync(recordFile) ? (JSON.parse(readFileSync(recordFile, 'utf8')) as MutationRecord) : {};

/**
 * Returns whether the file or its tests have changed since the score was recorded. A file without a score counts as
 * unchanged.
 */
export function hasChanged(record: MutationRecord, { file, digest }: Target): boolean {
  const { [file]: recorded } = record;
  return recorded !== undefined && recorded.digest !== digest;
}

/** Returns the lowest allowed percentage of a file: the recorded one if it is below the usual limit. */
export function leastPercent(record: MutationRecord, file: string, usual: number): number {
  const { [file]: recorded } = record;
  return recorded ? Math.min(usual, percentOf(recorded)) : usual;
}

/** Writes the score of one file. Scores are sorted by file name. */
export function writeRecord({ file, digest }: Target, { score, survivors }: FileResult): void {
  const record = { ...readRecord(), [file]: { digest, ...score, survivors } };
  const sorted = Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(recordFile, `${JSON.stringify(sorted, undefined, 2)}\n`);
}
