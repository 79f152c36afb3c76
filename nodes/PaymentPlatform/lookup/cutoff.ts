import type { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';
import type { Footprint } from '../model/footprint';

/** From when on records count: a moment, and the highest ID before it, for records that do not say when they were made. */
export interface Cutoff {
  at: DateTime;
  above: string | undefined;
}

const NUMBER = /^\d+$/;

/** Whether an ID is a higher number than another; IDs may have more digits than a number holds. */
export function isAbove(id: string, other: string): boolean {
  if (!NUMBER.test(id) || !NUMBER.test(other)) return false;
  const [a, b] = [id.replace(/^0+/, ''), other.replace(/^0+/, '')];
  return a.length === b.length ? a > b : a.length > b.length;
}

/** Whether a record may have been made since. One that its path alone gives is new where it was not there, or not so, before. */
export function isAfterCutoff(
  record: IDataObject,
  { list, time }: Pick<Footprint, 'list' | 'time'>,
  since: Cutoff,
): boolean {
  const made = time?.(record);
  if (time) return made !== undefined && made >= since.at;
  if (list.newestBy === undefined) return since.above !== undefined;
  return since.above !== undefined && isAbove(asText(record[list.identity]), since.above);
}

/** The earlier one of two. */
export const earlierCutoff = (one: Cutoff, other: Cutoff): Cutoff => ({
  at: other.at < one.at ? other.at : one.at,
  above: lower(one.above, other.above),
});

const lower = (one?: string, other?: string) =>
  one === undefined || (other !== undefined && isAbove(one, other)) ? other : one;
