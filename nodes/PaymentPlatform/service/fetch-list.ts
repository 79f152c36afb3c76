import type { IDataObject } from 'n8n-workflow';
import type { Answer } from '../model/failure';
import type { ListDeclaration } from '../model/types';
import { asRecords, asText } from '../shared/objects';

export type FailedAnswer = Extract<Answer, { ok: false }>;

/** Fetches one page. `wanted` tells, when the request's turn comes, whether anybody still waits for it. */
export type FetchOthers = (page: number, wanted: () => boolean) => Promise<Answer>;

/**
 * Fetches the pages from 1 up to but not including `end`, some at a time. After a failing page, or one without records,
 * it asks for no more.
 * @returns their records in order, or the first failing answer.
 */
export async function fetchPages(
  end: number,
  parallel: number,
  fetchPage: FetchOthers,
): Promise<IDataObject[][] | FailedAnswer> {
  const pages: IDataObject[][] = [];
  let next = 1;
  let over = false;
  let failed: FailedAnswer | undefined;
  const reader = async () => {
    while (next < end && !over && !failed) {
      const page = next++;
      const answer = await fetchPage(page, () => failed === undefined);
      if (!answer.ok) return void (failed ??= answer);
      const records = asRecords(answer.record);
      pages[page - 1] = records;
      over ||= records.length === 0;
    }
  };
  // A failing page may have closed the gate for the others: its failure is told, not theirs.
  const settled = await Promise.allSettled(Array.from({ length: Math.min(parallel, end) }, reader));
  if (failed) return failed;
  const refused = settled.find((one) => one.status === 'rejected');
  if (refused) throw refused.reason;
  return pages;
}

/** The service gives at most this many records in one answer (service.md#lists). */
export const PAGE_SIZE = 100;
/** Pages read beyond those that the service counted, before a list is taken to have no end. */
const MOST_UNCOUNTED_PAGES = 1000;

export interface ListResult {
  records: IDataObject[];
  /** What a person should know about the list's completeness. */
  note?: string;
}

/** A list to fetch. */
export interface ListToFetch extends ListDeclaration {
  /** Whether to find out that the list changed while its pages were read. Costs one small request for each further page. */
  isVerified?: boolean;
}

/**
 * Fetches one page. `wanted` tells, when the request's turn comes, whether anybody still waits for it. The list is complete
 * without a page that is optional.
 */
export type FetchPage = (page: number, count: number, wanted: () => boolean, isOptional?: boolean) => Promise<Answer>;

/**
 * Fetches a list: the first page, then the others that the service counted, then one at a time. Goes by what the pages
 * hold, not only by the totals: as long as the last page is full and brings something new, there may be one more.
 * @param limit how many records are wanted; all when `undefined`.
 * @param parallel how many pages are asked for at once at most.
 * @param keeps which of the service's records are wanted; all unless given. The limit counts those.
 * @returns the records in the service's order, none twice, or the first failing answer.
 */
export async function fetchList(
  list: ListToFetch,
  limit: number | undefined,
  fetchPage: FetchPage,
  parallel = 1,
  keeps?: (record: IDataObject) => boolean,
): Promise<ListResult | FailedAnswer> {
  // Of how many records one is wanted, nobody knows.
  const count = keeps ? PAGE_SIZE : Math.min(limit ?? PAGE_SIZE, PAGE_SIZE);
  const wanted = limit ?? Infinity;
  const first = await fetchPage(0, count, () => true);
  if (!first.ok) return first;
  const counted = Math.min(first.totalPages ?? 1, Math.ceil(wanted / count));
  const others = await fetchPages(counted, parallel, async (page, needed) => await fetchPage(page, count, needed));
  if ('ok' in others) return others;

  const found = new Found(list, keeps);
  const pages = [asRecords(first.record), ...others];
  for (const page of pages) found.add(page);
  const ends: Array<string | undefined> = pages.map((page) => found.idAtEnd(page, count));
  let last = pages.at(-1);
  let next = pages.length;
  const end = limit === undefined ? next + MOST_UNCOUNTED_PAGES : Infinity;
  while (last?.length === count && found.kept.length < wanted && next < end) {
    const answer = await fetchPage(next, count, () => true);
    if (!answer.ok) return answer;
    const page = asRecords(answer.record);
    // A path that knows no pages, or stays at its last one, gives the same once more.
    if (JSON.stringify(page) === JSON.stringify(last) || found.add(page) === 0) break;
    last = page;
    next += 1;
    ends.push(found.idAtEnd(page, count));
  }
  if (limit !== undefined) return { records: found.kept.slice(0, limit) };
  const endless = next === end && last?.length === count;
  const note = noteOn(found.length, first.totalRecords, endless ? next : undefined);
  if (!list.isVerified || note !== undefined) return { records: found.kept, note };
  return { records: found.kept, note: await noteOnChanges(list, ends.slice(0, -1), fetchPage) };
}

/**
 * Finds out whether a list changed while its pages were read. A record that is removed moves the first record of a later page to an
 * earlier page, which was read already. So the last record of each page is read once more.
 * @param ends ID of the last record of each page but the last one, where the page is full and the record has an ID
 * @returns a hint if the list changed, or if the node could not find that out
 */
async function noteOnChanges(
  { identity = '' }: ListDeclaration,
  ends: Array<string | undefined>,
  fetchPage: FetchPage,
): Promise<string | undefined> {
  const known = ends.flatMap((id, page) => (id === undefined ? [] : [{ id, at: (page + 1) * PAGE_SIZE - 1 }]));
  const answers = await Promise.allSettled(known.map(async ({ at }) => await fetchPage(at, 1, () => true, true)));
  const seen = answers.map((answer) => (answer.status === 'fulfilled' && answer.value.ok ? answer.value : undefined));
  const isOther = seen.some(
    (answer, index) =>
      answer && !asRecords(answer.record).some((record) => asText(record[identity]) === known[index]?.id),
  );
  if (isOther) return CHANGED;
  return seen.includes(undefined) ? UNVERIFIED : undefined;
}

const CHANGED = 'The list changed while it was read, so a record may be missing. Run again for a complete list.';
const UNVERIFIED =
  'The node could not find out whether the list changed while it was read, so a record may be missing. Run again for a complete list.';

/** Records in the order they came, none twice. */
class Found {
  /** Those that are wanted. */
  readonly kept: IDataObject[] = [];
  /** How many there are, wanted or not. */
  length = 0;
  private readonly seen = new Set<string>();

  constructor(
    private readonly list: ListDeclaration,
    private readonly keeps: (record: IDataObject) => boolean = () => true,
  ) {}

  /** @returns how many of them were new. */
  add(page: IDataObject[]): number {
    const before = this.length;
    for (const record of page) {
      const identity = this.identityOf(record);
      if (identity !== undefined && this.seen.has(identity)) continue;
      if (identity !== undefined) this.seen.add(identity);
      this.length += 1;
      if (this.keeps(record)) this.kept.push(record);
    }
    return this.length - before;
  }

  /** The ID of the last record of a full page. */
  idAtEnd(page: IDataObject[], count: number): string | undefined {
    const last = page.length === count ? page.at(-1) : undefined;
    return last && this.identityOf(last);
  }

  /** A number that JavaScript rounded may stand for several IDs: it tells nothing. */
  private identityOf(record: IDataObject): string | undefined {
    const value = this.list.identity === undefined ? undefined : record[this.list.identity];
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined;
    return asText(value) || undefined;
  }
}

function noteOn(records: number, total: number | undefined, stoppedAfter?: number): string | undefined {
  if (stoppedAfter !== undefined)
    return `The service kept giving full pages beyond those that it counted, so reading stopped after ${stoppedAfter} pages with ${records} records. There may be more: filter the list, or switch Return All off and enter a higher limit.`;
  if (total === undefined || records >= total) return undefined;
  return `The service counted ${total} records, but ${records} different ones arrived: the list changed while it was read. Run again for a complete list.`;
}
