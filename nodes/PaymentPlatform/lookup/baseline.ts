import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { lookUp, type Looking } from '../service/look-up';
import { recordAt } from './read-newest';
import { isAbove } from './cutoff';
import type { Listing } from '../model/footprint';
import type { Failure } from '../model/failure';

/** How many records are read: that they come in the order that was asked for is seen from these. */
const COUNT = 10;
/** How long what was read holds, in milliseconds. */
const HOLDS_MS = 120_000;

/**
 * The highest ID of a list before something is sent. A record with a higher one, found later, was not there before. Of the
 * one record that a path gives, whether it says already what it is to say afterwards. It is read once for all requests of
 * two minutes.
 */
export class Baseline {
  private reading?: { began: number; records: Promise<IDataObject[] | Failure> };

  constructor(
    private readonly looking: Looking,
    private readonly list: Listing,
  ) {}

  /**
   * @param agrees whether a record says that the write was applied.
   * @returns the ID, "0" where there is no such record, or why nobody could tell what is new.
   */
  async highest(agrees: (record: IDataObject) => boolean): Promise<string | Failure> {
    if (!this.reading || Date.now() - this.reading.began >= HOLDS_MS)
      this.reading = { began: Date.now(), records: this.read() };
    const records = await this.reading.records;
    return Array.isArray(records) ? highestOf(records, this.list, agrees) : records;
  }

  private async read(): Promise<IDataObject[] | Failure> {
    const { path, identity, newestBy } = this.list;
    const query = { order_on: identity, order_by: 'desc', count: COUNT, page: 0 };
    const look = newestBy === undefined ? recordAt(this.list) : { path, family: 'platform' as const, query };
    const answer = await lookUp(this.looking, look);
    return 'failure' in answer ? notRead(answer.failure) : answer.records;
  }
}

/** What `Before.highest` says of records that somebody else has read. */
export function highestOf(
  records: IDataObject[],
  { identity, newestBy, removesRecord }: Listing,
  agrees: (record: IDataObject) => boolean,
): string | Failure {
  if (removesRecord) return records.some(agrees) ? '0' : ABSENT;
  if (newestBy === undefined) return records.some(agrees) ? (identity === '' ? THERE : SO) : '0';
  const ids = ['0', ...records.map((record) => asText(record[identity])).reverse()];
  return ids.every((id, index) => index === 0 || isAbove(id, ids[index - 1] ?? '')) ? (ids.at(-1) ?? '0') : UNSORTED;
}

const notRead = (failure: Failure): Failure => ({
  ...failure,
  message: `what was there before could not be read (${failure.message})`,
});

/** A record of which nothing but the path is known says nothing when it was there before. */
const THERE: Failure = { outcome: 'declined', message: 'something was there before it was sent', advice: '' };
/** Nor does one that was changed already. */
const SO: Failure = { outcome: 'declined', message: 'its record said the same before it was sent', advice: '' };
/** Nor does one that was not there to be removed. */
const ABSENT: Failure = { outcome: 'declined', message: 'it was not there before it was sent', advice: '' };
/** Without the order nobody knows which record is the latest. */
const UNSORTED: Failure = {
  outcome: 'declined',
  message: 'the list does not come in the order of its IDs',
  advice: '',
};
