import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { type Answer, type FailedAnswer, isAbsent } from '../model/failure';
import type { ListToFetch } from '../model/types';
import { asText, isList } from '../shared/objects';
import { readRecords } from './decode-response';

/** Maximum number of records on a page of a list (service.md#lists). */
export const PAGE_SIZE = 100;
/** Maximum number of announced pages to read. */
const MOST_ANNOUNCED_PAGES = 10_000;
/** Maximum number of further pages to read. */
const MOST_FURTHER_PAGES = 1000;

export interface ListResult {
  records: IDataObject[];
  /** The service's record count. Missing if the node filters the records. */
  total?: number;
  /** Reason why the list may be incomplete. */
  note?: string;
}

/** Returns whether the list can lack a response. `answer` is `undefined` if sending threw an error. */
export type IsOptional = (answer: Answer | undefined) => boolean;

/** Fetches a page. `wanted` returns whether the list still needs it when the request can start. */
export type FetchPage = (
  page: number,
  count: number,
  wanted: () => boolean,
  isOptional?: IsOptional,
) => Promise<Answer>;

/** The service may respond with an error to an unannounced page after the last page. */
export const isAfterEnd: IsOptional = (answer) =>
  answer?.ok === false && (isAbsent(answer.failure) || answer.failure.httpStatus === 400);

/**
 * Reads a list and returns all its records at once.
 * @returns the records in the service's order without duplicates, or the first failed or unreadable response.
 */
export async function fetchList(...how: ListToRead): Promise<ListResult | FailedAnswer> {
  const records: IDataObject[] = [];
  const pages = readList(...how);
  for (;;) {
    const { done, value } = await pages.next();
    if (!done) for (const record of value) records.push(record);
    else if ('failure' in value) return value;
    else return { records, total: value.total, ...(value.note !== undefined && { note: value.note }) };
  }
}

/** End of a list that the node read without a failure. */
export type ListEnd = Omit<ListResult, 'records'> & {
  /** Whether the limit ended the list, although it contains or may contain more records. */
  isCut: boolean;
};

/** List to read, with its limit and the number of parallel requests. */
export type ListToRead = Parameters<typeof readList>;

/**
 * Reads page 0, then the announced pages in parallel. Without proof of the end, reads further pages until one has no
 * new record. Yields records in the service's order without duplicates, as soon as all pages before them are read.
 * @param limit maximum number of records, or `undefined` for all.
 * @param parallel maximum number of parallel requests.
 * @param keeps returns whether to include a record. The limit applies only to included records.
 * @param mostAhead maximum number of pages to keep for a slow caller.
 * @returns the end of the list, or the first failed or unreadable response.
 */
export async function* readList(
  list: ListToFetch,
  limit: number | undefined,
  fetchPage: FetchPage,
  parallel = 1,
  keeps?: (record: IDataObject) => boolean,
  mostAhead = Infinity,
): AsyncGenerator<IDataObject[], ListEnd | FailedAnswer, undefined> {
  // If the node filters records, it can't predict the number of records to read.
  const count = keeps ? PAGE_SIZE : Math.min(limit ?? PAGE_SIZE, PAGE_SIZE);
  const wanted = limit ?? Infinity;
  const pages = new Pages(list, count, wanted, keeps);
  let failed: FailedAnswer | undefined;
  let refused: { reason: unknown } | undefined;
  const goesOn = () => !failed && !pages.over;
  const read = async (page: number) => {
    const isOptional = page < pages.announced || !pages.mayBeOver ? undefined : isAfterEnd;
    const answer = await fetchPage(page, count, () => failed === undefined, isOptional);
    if (isOptional?.(answer)) return void (pages.over = 'end');
    const records = answer.ok ? readRecords(answer, list, page) : answer;
    if (!isList(records)) return void (failed ??= records);
    if (page === 0 && answer.ok) pages.announce(answer);
    pages.add(page, records);
  };

  await read(0);
  const most = list.mostPages ?? Infinity;
  const needed = Math.ceil(wanted / count);
  const announced = Math.min(pages.totalPages ?? 1, needed, MOST_ANNOUNCED_PAGES, most);
  const readAnnounced = async (page: number) =>
    await read(page).then(
      () => true,
      (reason: unknown) => {
        refused ??= { reason };
        return false;
      },
    );
  for await (const page of inOrder([1, announced], { parallel, mostAhead }, readAnnounced, goesOn)) {
    const records = failed || refused ? [] : pages.include(page);
    if (records.length > 0) yield records;
  }
  if (failed) return failed;
  if (refused) throw refused.reason;

  const end = Math.min((limit === undefined ? announced : needed) + MOST_FURTHER_PAGES, most);
  for (;;) {
    const records: IDataObject[] = failed ? [] : pages.include();
    if (records.length > 0) yield records;
    if (!goesOn() || !pages.mayContinue || pages.kept >= wanted || pages.length >= end) break;
    await read(pages.length);
  }
  if (failed) return failed;
  const note = pages.note() ?? (list.ignoresNotes ? undefined : await noteOnChanges(pages, fetchPage, parallel));
  return {
    total: keeps ? undefined : pages.totalRecords,
    isCut: pages.isCut,
    ...(note !== undefined && { note }),
  };
}

/**
 * Runs a task for each number from `first` to `end` - 1, several at a time, while `goesOn` returns true. Yields each
 * number in order after its task. If a task returns false, no other task takes its place.
 * @param mostAhead maximum number of tasks to start before the caller takes a number.
 */
async function* inOrder(
  [first, end]: readonly [number, number],
  { parallel, mostAhead = Infinity }: { parallel: number; mostAhead?: number },
  task: (number: number) => Promise<boolean>,
  goesOn = () => true,
): AsyncGenerator<number, void> {
  const tasks = new Map<number, Promise<void>>();
  let [next, taken, running, isStopped] = [first, first, 0, false];
  const start = () => {
    while (running < parallel && next < Math.min(end, taken + mostAhead) && !isStopped && goesOn()) {
      running += 1;
      tasks.set(next, run(next));
      next += 1;
    }
  };
  const run = async (number: number) => {
    if (!(await task(number))) return;
    running -= 1;
    start();
  };
  start();
  try {
    while (taken < next) {
      await tasks.get(taken);
      tasks.delete(taken);
      taken += 1;
      start();
      yield taken - 1;
    }
  } finally {
    isStopped = true;
    await Promise.all(tasks.values());
  }
}

/**
 * Detects records that the node missed because the list changed during reading. If a record is removed, later records
 * move to pages already read. The node therefore checks that the list contains no record between two pages.
 * @returns a notice if a record may be missing or a page could not be checked.
 */
async function noteOnChanges(pages: Pages, fetchPage: FetchPage, parallel: number): Promise<string | undefined> {
  const gaps = pages.gaps();
  const results: Array<boolean | undefined> = [];
  const check = async ({ at, page, before, after }: Gap) => {
    const isClosed = async (number: number, count: number) => {
      const answer = await fetchPage(
        number,
        count,
        () => true,
        () => true,
      );
      const records = answer.ok ? readRecords(answer, pages.list, number) : answer;
      if (!isList(records)) throw new Error('The page is unreadable');
      const marks = records.map((record) => pages.markOf(record));
      return marks.some((mark, index) => mark === before && marks[index + 1] === after);
    };
    // Only with a page size that doesn't divide the position, one page contains the records before and after it.
    let few = 2;
    while (at % few === 0) few += 1;
    // New records can move the two records to the next page, and removed records can move them back.
    return (
      (await isClosed(Math.floor(at / few), few)) ||
      (await isClosed(page + 1, pages.size)) ||
      (await isClosed(page, pages.size))
    );
  };
  const task = async (index: number) => {
    const gap = gaps[index];
    results[index] = gap && (await check(gap).catch(() => undefined));
    return true;
  };
  const checks = inOrder([0, gaps.length], { parallel }, task);
  while (!(await checks.next()).done);
  if (results.includes(false)) return CHANGED;
  return results.includes(undefined) ? UNVERIFIED : undefined;
}

const RUN_AGAIN = 'Run the node again to get a complete list.';
const CHANGED = `The list changed while the node read it, so a record may be missing. ${RUN_AGAIN}`;
const UNVERIFIED = `The node could not check whether the list changed while the node read it, so a record may be missing. ${RUN_AGAIN}`;
const UNREADABLE_TOTAL = 'The service returned an unreadable total of records or pages, so a record may be missing.';
const NARROW = 'The list may contain more records. Narrow the list with a filter or a shorter period.';

interface Page {
  /** Empty after the caller received the records. */
  records: IDataObject[];
  ids: Array<string | undefined>;
  length: number;
  /** Mark of the first new record. */
  firstNew?: string;
  /** Mark of the last record. */
  last?: string;
}

/** Place between two pages, with the marks of the adjacent records. */
interface Gap {
  /** Number of records before the gap. */
  at: number;
  /** Number of the page before the gap. */
  page: number;
  before: string;
  after: string;
}

/** Pages read from a list. */
class Pages {
  /** Number of records that the caller received. */
  kept = 0;
  private isOverLimit = false;
  totalPages?: number | undefined;
  totalRecords?: number | undefined;
  private hasUnreadableTotal = false;
  /** Whether the service returned a record instead of a list. */
  private isSingle = false;
  /** Number of pages that the service announced. */
  announced = 1;
  /** Reason why the list needs no further page. */
  over?: 'end' | 'repeated' | 'last';
  private readonly all: Page[] = [];
  private included = 0;
  private records = 0;
  /** Number of the first page with a record or the same content. Negative after the record was included. */
  private readonly firstPages = new Map<string, number>();

  constructor(
    readonly list: ListToFetch,
    private readonly count: number,
    private readonly wanted: number,
    private readonly keeps: (record: IDataObject) => boolean = () => true,
  ) {}

  get length(): number {
    return this.all.length;
  }

  /** Returns whether an error can mean that the list has no further page. A guard needs a total as proof. */
  get mayBeOver(): boolean {
    return !this.list.needsIds || this.isProven;
  }

  /** A total that is lower than the records or pages that were read proves nothing. */
  private get isProven(): boolean {
    const { totalPages = -1, totalRecords = -1 } = this;
    return totalPages >= this.length || totalRecords >= this.records;
  }

  /**
   * The service may return smaller pages than requested, so only a total shows that such a page is the last one. It may
   * limit the total to 100 (service.md#lists).
   */
  get mayContinue(): boolean {
    const isFull = this.all.at(-1)?.length === this.count;
    const isLimited = this.totalRecords === PAGE_SIZE;
    const lacksProof = (this.list.needsIds === true || !this.isSingle) && !this.isProven;
    return (
      isFull ||
      isLimited ||
      lacksProof ||
      this.length < (this.totalPages ?? 0) ||
      this.records < (this.totalRecords ?? 0)
    );
  }

  announce({ record, totalPages, totalRecords }: Extract<Answer, { ok: true }>): void {
    this.isSingle = !isList(record);
    const readable = (total?: number) => (Number.isNaN(total) ? undefined : total);
    [this.totalPages, this.totalRecords] = [readable(totalPages), readable(totalRecords)];
    this.hasUnreadableTotal = Number.isNaN(totalPages) || Number.isNaN(totalRecords);
    this.announced = Math.max(1, this.totalPages ?? 0, Math.ceil((this.totalRecords ?? 0) / this.count));
  }

  /** Adds a page in any order, unless it contains no new record. */
  add(page: number, records: IDataObject[]): void {
    const ids = records.map((record) => this.idOf(record));
    const marks = [...ids.filter((id) => id !== undefined), ...(ids.includes(undefined) ? [digestOf(records)] : [])];
    const isRepeated = marks.length > 0 && marks.every((mark) => this.firstPages.has(mark));
    if (!isRepeated)
      for (const mark of marks) this.firstPages.set(mark, Math.min(page, this.firstPages.get(mark) ?? page));
    this.all[page] = isRepeated ? { records: [], ids: [], length: 0 } : { records, ids, length: records.length };
    if (records.length === 0) this.over ??= 'end';
    else if (isRepeated) this.over ??= 'repeated';
    else if (this.list.isLast?.(records)) this.over ??= 'last';
  }

  /**
   * Includes the pages added since the last call.
   * @param last number of the last page to include.
   * @returns their new records, which the limit may cut.
   */
  include(last = this.length - 1): IDataObject[] {
    const kept: IDataObject[] = [];
    for (; this.included <= last; this.included += 1) {
      const page = this.all[this.included];
      if (page) this.includePage(page, kept);
    }
    const shown = kept.slice(0, this.wanted - this.kept);
    this.isOverLimit ||= shown.length < kept.length;
    this.kept += shown.length;
    return shown;
  }

  private includePage(page: Page, kept: IDataObject[]): void {
    const { records, ids } = page;
    for (const [index, record] of records.entries()) {
      const id = ids[index];
      if (id !== undefined && !this.isNew(id)) continue;
      if (id !== undefined) this.firstPages.set(id, -1 - this.included);
      page.firstNew ??= id ?? JSON.stringify(record);
      this.records += 1;
      if (this.keeps(record)) kept.push(record);
    }
    const last = records.at(-1);
    if (last) page.last = ids.at(-1) ?? JSON.stringify(last);
    [page.records, page.ids] = [[], []];
  }

  /** Whether the limit ended the list. A total that may be limited to 100 proves no end. */
  get isCut(): boolean {
    const isWhole = (this.totalRecords ?? PAGE_SIZE) !== PAGE_SIZE && this.records >= (this.totalRecords ?? Infinity);
    return this.isOverLimit || (this.kept >= this.wanted && !this.over && !isWhole && this.mayContinue);
  }

  /** For a decision, two records of a page with the same ID can be two payments. */
  private isNew(id: string): boolean {
    const page = this.firstPages.get(id);
    return page === this.included || (this.list.needsIds === true && page === -1 - this.included);
  }

  /** Number of records on a full page, which may be fewer than requested. */
  get size(): number {
    return this.all[0]?.length ?? 0;
  }

  /** Returns the places between two pages. */
  gaps(): Gap[] {
    return this.all.slice(1).flatMap(({ firstNew: after }, page) => {
      const { last: before, length } = this.all[page] ?? {};
      if (before === undefined || after === undefined || length !== this.size) return [];
      return [{ at: (page + 1) * this.size, page, before, after }];
    });
  }

  /** Returns text that distinguishes a record from other records. */
  markOf(record: IDataObject): string {
    return this.idOf(record) ?? JSON.stringify(record);
  }

  /** Returns why the list may be incomplete after all pages. */
  note(): string | undefined {
    const { records, over, totalPages = 0, totalRecords } = this;
    if (this.kept >= this.wanted || over === 'last') return undefined;
    const changed = `The list may have changed while the node read it. ${RUN_AGAIN}`;
    if (over && totalRecords !== undefined && records < totalRecords)
      return `The service announced ${totalRecords} records but returned ${records}. ${changed}`;
    const stopped = `so the node stopped after ${this.length} pages with ${records} records. ${NARROW}`;
    if (over === 'repeated') return `The service returned a page a second time, ${stopped}`;
    if (!over && this.mayContinue) return `The list has more pages than the node reads, ${stopped}`;
    if (this.hasUnreadableTotal) return UNREADABLE_TOTAL;
    const returned = this.all.filter((page) => page.length > 0).length;
    return totalRecords === undefined && returned < totalPages
      ? `The service announced ${totalPages} pages but returned ${returned}. ${changed}`
      : undefined;
  }

  /** Returns no ID for a number that JavaScript rounded, because several IDs can round to it. */
  private idOf(record: IDataObject): string | undefined {
    const value = this.list.identity === undefined ? undefined : record[this.list.identity];
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined;
    return asText(value) || undefined;
  }
}

const digestOf = (records: IDataObject[]): string =>
  createHash('sha256').update(JSON.stringify(records)).digest('base64');
