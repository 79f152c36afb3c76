import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { FileResult, Score } from './report';
import type { Target } from './targets';

/** The recorded score of each file, with the digest of the file and its tests. */
export type MutationRecord = Partial<Record<string, Score & Pick<FileResult, 'survivors'> & Pick<Target, 'digest'>>>;

const recordFile = join(__dirname, 'record.json');

/** Reads the scores that are kept in the repository. */
export const readRecord = (): MutationRecord =>
  existsSync(recordFile) ? (JSON.parse(readFileSync(recordFile, 'utf8')) as MutationRecord) : {};

/** Returns whether neither the file nor its tests have changed since the score was recorded. */
export const isRecorded = (record: MutationRecord, { file, digest }: Target): boolean =>
  record[file]?.digest === digest;

/** Writes the score of one file next to the others, in the order of their names. */
export function writeRecord({ file, digest }: Target, { score, survivors }: FileResult): void {
  const record = { ...readRecord(), [file]: { digest, ...score, survivors } };
  const sorted = Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(recordFile, `${JSON.stringify(sorted, undefined, 2)}\n`);
}
