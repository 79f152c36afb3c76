import type { IDataObject } from 'n8n-workflow';

import type { Compared } from './match-records';
import type { FailedAnswer } from '../service/fetch-list';
import { lookUp, notWhole, type Looking } from '../service/look-up';
import { fillListPath, recordAt } from './read-newest';
import type { Footprint } from '../model/footprint';

/**
 * What was found at the service for a write, with all that it is compared with: the record that the write makes another
 * one of (`Footprint.madeOf`) is read where something may be it. There may be none any more.
 * @param seen what was found, or why nobody could look, which is given back.
 * @returns the same with the values to compare, or why that record could not be read.
 */
export async function withCopiedRecord<T extends { records: IDataObject[] }>(
  looking: Looking,
  { values }: Compared,
  { madeOf, matches, mayMatch = matches }: Footprint,
  seen: T | FailedAnswer,
): Promise<(T & Compared) | FailedAnswer> {
  if ('failure' in seen) return seen;
  if (!madeOf || !seen.records.some((record) => mayMatch(record, values))) return { ...seen, values };
  const read = await lookUp(looking, recordAt(fillListPath(madeOf, { values })));
  if ('failure' in read) return read;
  if (read.note !== undefined) return { ok: false, failure: notWhole(read.note) };
  const [source] = read.records;
  return { ...seen, values: { ...values, ...(source && { source }) } };
}
