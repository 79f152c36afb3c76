import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { PAGE_SIZE, type FailedAnswer } from '../service/fetch-list';
import { fillPath } from '../service/fill-path';
import { lookUp, type Looking } from '../service/look-up';
import { isAfterCutoff, type Cutoff } from './cutoff';
import type { WriteValues, Listing, Footprint } from '../model/footprint';
import type { Look } from '../model/types';
import { isAbsent } from '../model/failure';

/** Pages that one look reads at most. */
const MOST_PAGES = 50;

/** The latest records of a list. */
export interface Newest {
  records: IDataObject[];
  /** Whether there was more than was read. */
  isCut: boolean;
}

/** The path with the write's own values. */
export const fillListPath = (list: Listing, { values }: { values: WriteValues }): Listing => ({
  ...list,
  path: list.pathOf?.(values) ?? fillPath(list.path, values.path, [], []),
});

/** The one record that a path gives; there may be none. Or a whole list from which one is gone. */
export const recordAt = ({ path, identity, removesRecord }: Listing): Look => ({
  path,
  family: path.startsWith('/platform/') ? 'platform' : 'any',
  // Of a list that is not there nobody can say that a record is not in it any more.
  ...(removesRecord ? { list: { identity } } : { absent: isAbsent }),
});

/**
 * Reads a list from its latest record back to a moment, or the one record that the path gives. Records that are made
 * meanwhile push others to later pages: one may come twice, and none is missed. A service that does not sort as asked is read less far, so something may be
 * missing: nothing may be sent because nothing was found.
 * @param filter what all records that are wanted have in common.
 * @returns the records, or the first failing answer.
 */
export async function readNewest(
  looking: Looking,
  { list, time }: Pick<Footprint, 'list' | 'time'>,
  since: Cutoff,
  filter: string[] = [],
): Promise<Newest | FailedAnswer> {
  if (list.newestBy === undefined) {
    const answer = await lookUp(looking, recordAt(list));
    return 'failure' in answer ? answer : { records: answer.records, isCut: answer.note !== undefined };
  }
  const found = new Map<string, IDataObject>();
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = {
      ...(filter.length > 0 && { filter }),
      order_on: list.newestBy,
      order_by: 'desc',
      count: PAGE_SIZE,
      page,
    };
    const answer = await lookUp(looking, { path: list.path, family: 'platform', query });
    if ('failure' in answer) return answer;
    const before = found.size;
    for (const record of answer.records) found.set(asText(record[list.identity]), record);
    const last = answer.records.at(-1);
    const isOver =
      answer.records.length < PAGE_SIZE || found.size === before || (last && isBefore(last, { list, time }, since));
    if (isOver) return { records: [...found.values()], isCut: false };
  }
  return { records: [...found.values()], isCut: true };
}

/** A record that does not say when it was made tells nothing of those after it. */
const isBefore = (record: IDataObject, footprint: Pick<Footprint, 'list' | 'time'>, since: Cutoff) =>
  !isAfterCutoff(record, footprint, since) && (!footprint.time || footprint.time(record) !== undefined);
