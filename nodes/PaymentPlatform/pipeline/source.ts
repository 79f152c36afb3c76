import type { IDataObject } from 'n8n-workflow';

import type { Compared } from './claims';
import type { FailedAnswer } from './fetch-pages';
import { lookFor, notWhole, type Looking } from './look';
import { filled, recordAt } from './newest';
import type { Trace } from './trace';

/**
 * What was found at the service for a write, with all that it is compared with: the record that the write makes another
 * one of (`Trace.madeOf`) is read where something may be it. There may be none any more.
 * @param seen what was found, or why nobody could look, which is given back.
 * @returns the same with the values to compare, or why that record could not be read.
 */
export async function withSource<T extends { records: IDataObject[] }>(
  looking: Looking,
  { values }: Compared,
  { madeOf, agrees, mayBe = agrees }: Trace,
  seen: T | FailedAnswer,
): Promise<(T & Compared) | FailedAnswer> {
  if ('failure' in seen) return seen;
  if (!madeOf || !seen.records.some((record) => mayBe(record, values))) return { ...seen, values };
  const read = await lookFor(looking, recordAt(filled(madeOf, { values })));
  if ('failure' in read) return read;
  if (read.note !== undefined) return { ok: false, failure: notWhole(read.note) };
  const [source] = read.records;
  return { ...seen, values: { ...values, ...(source && { source }) } };
}
