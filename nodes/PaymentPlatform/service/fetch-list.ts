import type { IDataObject } from 'n8n-workflow';
import type { Answer } from '../model/failure';
import type { ListDeclaration } from '../model/types';
import { asRecords, asText } from '../shared/objects';

export type FailedAnswer = Extract<Answer, { ok: false }>;

/** Fetches a page. `wanted` returns whether the list still needs the page when the request can start. */
export type FetchOthers = (page: number, wanted: () => boolean) => Promise<Answer>;

/**
 * Fetches the pages from 1 to `end` - 1, several at a time. Stops after a failed or empty page.
 * @returns the records in order, or the first failed response.
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
  const settled = await Promise.allSettled(Array.from({ length: Math.min(parallel, end) }, reader));
  if (failed) return failed;
  const refused = settled.find((one) => one.status === 'rejected');
  if (refused) throw refused.reason;
  return pages;
}

/** Maximum number of records on a page of a list (service.md#lists). */
export const PAGE_SIZE = 100;
const MOST_UNCOUNTED_PAGES = 1000;

export interface ListResult {
  records: IDataObject[];
  /** Total record count at the service. Missing if the node filters the records itself. */
  total?: number;
  note?: string;
}

/** List that `fetchList` reads. */
export interface ListToFetch extends ListDeclaration {
  /** Whether to detect changes to the list while reading it. Costs a small request for each page after the first. */
  isVerified?: boolean;
}

/** Fetches a page. `wanted` returns whether the list still needs the page when the request can start. */
export type FetchPage = (page: number, count: number, wanted: () => boolean, isOptional?: boolean) => Promise<Answer>;

/**
 * Fetches page 0, then the pages that the service counted, in parallel. While the last page is full, fetches further
 * pages until one has no new records.
 * @param limit maximum number of records, or `undefined` for all.
 * @param parallel maximum number of parallel requests.
 * @param keeps returns whether to include a record. The limit applies only to included records.
 * @returns the records in the service's order without duplicates, or the first failed response.
 */
export async function fetchList(
  list: ListToFetch,
  limit: number | undefined,
  fetchPage: FetchPage,
  parallel = 1,
  keeps?: (record: IDataObject) => boolean,
): Promise<ListResult | FailedAnswer> {
  // If the node filters records, it can't predict the number of records to read.
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
    if (JSON.stringify(page) === JSON.stringify(last) || found.add(page) === 0) break;
    last = page;
    next += 1;
    ends.push(found.idAtEnd(page, count));
  }
  const total = keeps ? undefined : first.totalRecords;
  if (limit !== undefined) return { records: found.kept.slice(0, limit), total };
  const endless = next === end && last?.length === count;
  const note = noteOn(found.length, first.totalRecords, endless ? next : undefined);
  if (!list.isVerified || note !== undefined) return { records: found.kept, total, note };
  return { records: found.kept, total, note: await noteOnChanges(list, ends.slice(0, -1), fetchPage) };
}

/**
 * Detects changes to a list during reading. If a record is removed, later records move to pages that the node has
 * already read. The node therefore reads the last record of each page except the last page again.
 * @returns a notice if the list changed, or if the node could not check for a change.
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

const CHANGED =
  'The list changed while the node read it, so a record may be missing. Run the node again to get a complete list.';
const UNVERIFIED =
  'The node could not check whether the list changed while the node read it, so a record may be missing. Run the node again to get a complete list.';

class Found {
  readonly kept: IDataObject[] = [];
  length = 0;
  private readonly seen = new Set<string>();

  constructor(
    private readonly list: ListDeclaration,
    private readonly keeps: (record: IDataObject) => boolean = () => true,
  ) {}

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

  idAtEnd(page: IDataObject[], count: number): string | undefined {
    const last = page.length === count ? page.at(-1) : undefined;
    return last && this.identityOf(last);
  }

  /** Returns no ID for a number that JavaScript rounded, because several IDs can round to the same number. */
  private identityOf(record: IDataObject): string | undefined {
    const value = this.list.identity === undefined ? undefined : record[this.list.identity];
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined;
    return asText(value) || undefined;
  }
}

function noteOn(records: number, total: number | undefined, stoppedAfter?: number): string | undefined {
  if (stoppedAfter !== undefined)
    return `The service returned more pages than it announced, so the node stopped after ${stoppedAfter} pages with ${records} records. The list may contain more records. Filter the list, or switch off "Return All" and enter a higher limit.`;
  if (total === undefined || records >= total) return undefined;
  return `The service announced ${total} records but returned ${records}. The list may have changed while the node read it. Run the node again to get a complete list.`;
}
