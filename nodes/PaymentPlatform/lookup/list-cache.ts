import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';
import type { ListResult } from '../service/fetch-list';
import { PAGE_SIZE } from '../service/page-requests';
import { fillPath } from '../model/operation';
import { isTemporary, lookUp, notWhole, type Looking } from '../service/look-up';
import { isAbsent, type FailedAnswer, type Failure } from '../model/failure';
import { candidates } from '../model/candidates';
import { likenessOf, type Footprint, type Listing, type WriteValues } from '../model/footprint';
import type { Look } from '../model/types';

/** Start of a search. The node considers only later records, or records with an ID higher than `above`. */
export interface Cutoff {
  at: DateTime;
  above: string | undefined;
}

/** Failure, or a list's records with a note if more may exist. */
export type ListReading = ListResult | FailedAnswer;

type Shown = Pick<Footprint, 'list' | 'time' | 'earliest'>;

/** Number of records that show whether the service sorted the list. */
const TOP_COUNT = 10;
/** Milliseconds for which a run reuses a list's newest records. */
const TOP_AGE_MS = 120_000;
/** Milliseconds for which a run reuses a whole list or the records of earlier attempts. */
const WHOLE_AGE_MS = 60_000;
/** Minimum milliseconds between the starts of two requests for the newest records. */
const SPACING_MS = 2000;
/** Maximum number of pages for the newest records. */
const MOST_PAGES = 50;
/** Margin of a date filter, because the API doesn't specify the service's time zone. */
const ROOM = { days: 2 };

/** Records that an item needs. */
interface Question {
  since: Cutoff;
  filter: string[];
}

type Questions = [Question, ...Question[]];

/** Requests for a list's newest records. Items that ask while the list is read share the next request. */
interface Queue {
  next?: { questions: Questions; reading: Promise<ListReading> };
  last?: Promise<unknown>;
  beganAt?: number;
}

/** Caches the lists in which a run searches for its writes, so that several items share a request. */
export class ListCache {
  private readonly readings = new Map<
    string,
    { beganAt: number; since?: Cutoff; reading: Promise<ListReading | undefined> }
  >();
  private readonly queues = new Map<string, Queue>();
  /** Details by record, because several items compare the same records. */
  private readonly detailed = new WeakMap<IDataObject, Promise<ListReading>>();

  /** @param rest waits for a number of milliseconds or until the run ends. */
  constructor(
    private readonly looking: Looking,
    private readonly rest: (milliseconds: number) => Promise<unknown>,
  ) {}

  /**
   * Returns a list's highest ID before a write, because a new record gets a higher ID. If the path returns a single
   * record, checks that it doesn't match yet.
   * @param matches returns whether a record proves that the service applied the write.
   * @returns the ID, "0" if no record shows the write yet, or the reason why the node can't recognize a new record.
   */
  async highest(list: Listing, matches: (record: IDataObject) => boolean): Promise<string | Failure> {
    const { path, identity, newestBy } = list;
    const query = { order_on: identity, order_by: 'desc', count: TOP_COUNT, page: 0 };
    const newest: Look = { path, family: 'platform', query, identity };
    const read = async () => await lookUp(this.looking, newestBy === undefined ? recordAt(list) : newest);
    const reading = (await this.cached(`top ${path}`, TOP_AGE_MS, read)) ?? (await read());
    if ('failure' in reading) return notRead(reading.failure);
    if (reading.note !== undefined) return notRead(notWhole(reading.note));
    return highestOf(reading.records, list, matches);
  }

  /**
   * Reads the records since a cutoff. The request starts after the call, because an earlier result could lack the
   * write.
   */
  async latest(shown: Shown, question: Question): Promise<ListReading> {
    const queue: Queue = this.queues.get(shown.list.path) ?? {};
    this.queues.set(shown.list.path, queue);
    if (queue.next) queue.next.questions.push(question);
    else {
      const questions: Questions = [question];
      const reading = this.inTurn(queue, shown, questions);
      queue.next = { questions, reading };
      queue.last = reading.catch(() => undefined);
    }
    return await queue.next.reading;
  }

  /** Reads the records of earlier attempts once for several items, unless an item needs older records. */
  async earlier(shown: Shown, { since, filter }: Question): Promise<ListReading> {
    const read = async () => await readNewest(this.looking, shown, since, filter);
    return (await this.cached(`earlier ${shown.list.path}`, WHOLE_AGE_MS, read, since)) ?? (await read());
  }

  /**
   * Reads a whole list once for all items to find duplicates. If the list has more pages than there are items, reads a
   * filtered list for each item instead.
   * @param moments earliest creation times to consider, one per item.
   * @param filter filter for this item's records.
   */
  async whole(list: Listing, moments: Array<DateTime | undefined>, filter: string[]): Promise<ListReading> {
    const { path, identity } = list;
    const one = { path, family: 'platform' as const, query: { filter }, list: { identity } };
    if (moments.length < 2) return await lookUp(this.looking, one);
    const read = async () => await this.wholeForAll(list, moments);
    return (await this.cached(`whole ${path}`, WHOLE_AGE_MS, read)) ?? (await lookUp(this.looking, one));
  }

  /**
   * Adds what the comparison needs beyond the list (`Footprint.source` and `Footprint.details`), only for records that
   * may otherwise belong to the write.
   * @param since earliest time or ID to consider.
   */
  async complete(
    footprint: Footprint,
    values: WriteValues,
    found: ListReading,
    since?: Cutoff,
  ): Promise<(ListResult & { values: WriteValues }) | FailedAnswer> {
    if ('failure' in found) return found;
    const { records, note } = found;
    const all = candidates(records, footprint, values);
    const recent = since ? all.filter((record) => !isBeforeCutoff(record, footprint, since)) : all;
    const open = recent.filter((record) => likenessOf(footprint, record, values) === 'notShown');
    const read = open.length > 0 ? await this.source(footprint, values) : { records: [] };
    if ('failure' in read) return read;
    const [source] = read.records;
    const whole = { ...values, ...(source && { source }) };
    // The details can exclude a record that agrees with the source.
    const possible = open.filter((record) => likenessOf(footprint, record, whole) !== 'different');
    const detailed = footprint.details ? await this.details(footprint, footprint.details, possible) : undefined;
    if (detailed && 'failure' in detailed) return detailed;
    const shown = detailed?.size ? records.map((record) => detailed.get(record) ?? record) : records;
    return { records: shown, note, values: whole };
  }

  private async source({ source }: Footprint, values: WriteValues): Promise<ListReading> {
    const listing = source?.(values);
    if (!listing) return { records: [] };
    const read = async () => await lookUp(this.looking, recordAt(listing));
    return (await this.cached(`source ${listing.path}`, WHOLE_AGE_MS, read)) ?? (await read());
  }

  private async details(
    { list: { identity } }: Footprint,
    { name, isList, path }: NonNullable<Footprint['details']>,
    records: IDataObject[],
  ): Promise<Map<IDataObject, IDataObject> | FailedAnswer> {
    const detailed = new Map<IDataObject, IDataObject>();
    for (const record of records) {
      // A response without the record's ID, or with another ID, shows nothing about the record.
      const more = isList ? { list: {} } : { absent: isAbsent, identity };
      const wanted: Look = { path: path(record), family: 'platform', ids: { [identity]: record[identity] }, ...more };
      const reading = this.detailed.get(record) ?? lookUp(this.looking, wanted);
      this.detailed.set(record, reading);
      const read = await reading;
      if (isTemporary(read)) this.detailed.delete(record);
      if ('failure' in read) return read;
      if (read.note !== undefined) return { ok: false, failure: notWhole(read.note) };
      detailed.set(record, { ...record, [name]: read.records });
    }
    return detailed;
  }

  private async cached(
    key: string,
    ageMs: number,
    read: () => Promise<ListReading | undefined>,
    since?: Cutoff,
  ): Promise<ListReading | undefined> {
    const known = this.readings.get(key);
    const isUsable =
      known && Date.now() - known.beganAt < ageMs && (!since || !known.since || known.since.at <= since.at);
    const entry = isUsable ? known : { beganAt: Date.now(), since, reading: read() };
    this.readings.set(key, entry);
    const reading = await entry.reading;
    // Another attempt can succeed.
    if (isTemporary(reading) && this.readings.get(key) === entry) this.readings.delete(key);
    return reading;
  }

  private async inTurn(queue: Queue, shown: Shown, questions: Questions): Promise<ListReading> {
    await queue.last;
    if (queue.beganAt !== undefined) await this.rest(SPACING_MS - (Date.now() - queue.beganAt));
    queue.beganAt = Date.now();
    queue.next = undefined;
    const [first, ...others] = questions;
    const since = others.map((one) => one.since).reduce(earlierCutoff, first.since);
    const filter = first.filter.filter((one) => others.every((other) => other.filter.includes(one)));
    return await readNewest(this.looking, shown, since, filter);
  }

  /** Returns `undefined` if the list has more pages than there are items. */
  private async wholeForAll(
    { path, identity, newestBy }: Listing,
    moments: Array<DateTime | undefined>,
  ): Promise<ListReading | undefined> {
    const since = moments.reduce((least, one) => (least && one ? DateTime.min(least, one) : undefined));
    const filter = since && [`${newestBy},GREATER,${since.toUTC().minus(ROOM).toISODate()}`];
    const query = { ...(filter && { filter }) };
    let counted: { totalPages?: number; totalRecords?: number } = {};
    const answered: Looking['answered'] = (answer) => {
      if (answer.ok) counted = answer;
    };
    const page: Look = { path, family: 'platform', query: { ...query, count: PAGE_SIZE, page: 0 }, identity };
    const first = await lookUp({ ...this.looking, answered }, page);
    if ('failure' in first) return first;
    const { length } = first.records;
    const { totalPages, totalRecords } = counted;
    const isShort = length < PAGE_SIZE;
    const hasTotal = totalPages !== undefined || totalRecords !== undefined;
    const isWhole = isShort && hasTotal && (totalPages ?? 1) === 1 && (totalRecords ?? length) === length;
    if (isWhole || length === 0) return first;
    if ((totalPages ?? (isShort ? 1 : Infinity)) > moments.length) return undefined;
    return await lookUp(this.looking, { path, family: 'platform', query, list: { identity } });
  }
}

/** Returns the list with its path filled in from the write. */
export const fillListPath = (list: Listing, values: WriteValues): Listing => ({
  ...list,
  path: list.pathOf?.(values) ?? fillPath(list.path, values.path, [], []),
});

/** Returns the request for a single record, or for a list from which a write removes a record. */
const recordAt = ({ path, identity, ids, removesRecord }: Listing): Look => ({
  path,
  identity,
  ids,
  family: path.startsWith('/platform/') ? 'platform' : 'any',
  // A missing list doesn't show that the service removed a record.
  ...(removesRecord ? { list: { identity } } : { absent: isAbsent }),
});

/**
 * Reads a list from its newest record back to a cutoff, or the single record at the path. If the service creates a
 * record while the list is read, the node may read a record twice but skips none.
 * @param filter filters that match all wanted records.
 */
async function readNewest(looking: Looking, shown: Shown, since: Cutoff, filter: string[]): Promise<ListReading> {
  const { list } = shown;
  if (list.newestBy === undefined) return await lookUp(looking, recordAt(list));
  const query = { ...(filter.length > 0 && { filter }), order_on: list.newestBy, order_by: 'desc' };
  const isLast = (records: IDataObject[]) => {
    const last = records.at(-1);
    return last !== undefined && isBeforeCutoff(last, shown, since) && isNewestFirst(records, shown);
  };
  const newest = { identity: list.identity, mostPages: MOST_PAGES, isLast };
  return await lookUp(looking, { path: list.path, family: 'platform', query, list: newest });
}

/**
 * The service may ignore the requested order. A record without a readable time or ID shows no order, and a record with
 * only its day can be older than the records before it.
 */
function isNewestFirst(records: IDataObject[], { list: { identity }, time, earliest = time }: Shown): boolean {
  const reads = [earliest, time];
  const oldest: Array<string | undefined> = [];
  return records.every((record) => {
    const ranks = reads.map((read) => asText(read ? read(record)?.toMillis() : record[identity]));
    const isNewer = ranks.every((rank, index) => isAbove(rank, oldest[index] ?? rank));
    for (const [index, rank] of ranks.entries())
      if (NUMBER.test(rank) && !isAbove(rank, oldest[index] ?? rank)) oldest[index] = rank;
    return !isNewer;
  });
}

/** Returns whether a record is certainly older than a cutoff. False if its time or ID is unreadable. */
export function isBeforeCutoff(record: IDataObject, shown: Shown, since: Cutoff): boolean {
  const { list, time } = shown;
  const made = time?.(record);
  if (time) return made !== undefined && made < since.at;
  if (isAfterCutoff(record, shown, since)) return false;
  return list.newestBy === undefined || since.above === undefined || NUMBER.test(asText(record[list.identity]));
}

/** Returns whether a record is certainly newer than a cutoff. False if its time or ID is unreadable. */
export function isAfterCutoff(record: IDataObject, { list, time, earliest = time }: Shown, since: Cutoff): boolean {
  const made = earliest?.(record);
  if (time) return made !== undefined && made >= since.at;
  if (list.newestBy === undefined) return since.above !== undefined;
  return since.above !== undefined && isAbove(asText(record[list.identity]), since.above);
}

export function earlierCutoff(one: Cutoff, other: Cutoff): Cutoff {
  const isOther = one.above === undefined || (other.above !== undefined && isAbove(one.above, other.above));
  return { at: other.at < one.at ? other.at : one.at, above: isOther ? other.above : one.above };
}

const NUMBER = /^\d+$/;

/** Compares IDs, which can exceed the range of JavaScript's numbers. */
export function isAbove(id: string, other: string): boolean {
  if (!NUMBER.test(id) || !NUMBER.test(other)) return false;
  const [a, b] = [id.replace(/^0+/, ''), other.replace(/^0+/, '')];
  return a.length === b.length ? a > b : a.length > b.length;
}

/** Returns the result of `ListCache.highest` for records already read. */
export function highestOf(
  records: IDataObject[],
  { identity, newestBy, removesRecord }: Listing,
  matches: (record: IDataObject) => boolean,
): string | Failure {
  if (removesRecord) return records.some(matches) ? '0' : ABSENT;
  if (newestBy === undefined) return records.some(matches) ? (identity === '' ? THERE : SO) : '0';
  const ids = ['0', ...records.map((record) => asText(record[identity])).reverse()];
  return ids.every((id, index) => index === 0 || isAbove(id, ids[index - 1] ?? '')) ? (ids.at(-1) ?? '0') : UNSORTED;
}

const notRead = (failure: Failure): Failure => ({
  ...failure,
  message: `the earlier records could not be read (${failure.message})`,
});

const incomparable = (message: string): Failure => ({ outcome: 'declined', message, advice: '' });
const THERE = incomparable('a record existed before the request');
const SO = incomparable('the record already had these values before the request');
const ABSENT = incomparable('the record did not exist before the request');
const UNSORTED = incomparable('the list is not sorted by ID');
