import type { IDataObject } from 'n8n-workflow';
import type { Answer } from '../model/failure';
import type { ListToFetch } from '../model/types';
import { asText, isList } from '../shared/objects';
import { KnownMarks } from './known-marks';
import { PAGE_SIZE, type PageRequest } from './page-requests';
import { type MarkedPage, NO_SEAM, type Seam, seamBetween } from './page-seam';

export const RUN_AGAIN = 'Run the node again to get a complete list.';
const UNREADABLE_TOTAL = 'The service returned an unreadable total of records or pages, so a record may be missing.';
const NARROW = 'The list may contain more records. Narrow the list with a filter or a shorter period.';

type Totals = Pick<Extract<Answer, { ok: true }>, 'totalPages' | 'totalRecords'>;

/** `totals`: totals that the service announced with the page. */
interface ReadPage {
  request: PageRequest;
  records: IDataObject[];
  totals: Totals;
}

/** Place between two pages, with the marks of the adjacent records. */
export interface Gap {
  /** Number of records before the gap. */
  at: number;
  pages: [before: PageRequest, after: PageRequest];
  before: string;
  /** Missing at the end of the list. */
  after: string | undefined;
}

/** Pages of a list. Includes each page after the pages before it, and keeps only marks of records. */
export class ListPages {
  /** Number of included pages. */
  length = 0;
  /** Number of included records, without those that the filter or the limit removed. */
  kept = 0;
  private isOverLimit = false;
  totalPages?: number | undefined;
  totalRecords?: number | undefined;
  private hasUnreadableTotal = false;
  /** Whether the service returned a record instead of a list. */
  private isSingle = false;
  /** Number of pages of the requested size that the service announced. */
  private announced = 1;
  /** Reason why the list needs no further page. */
  over?: 'end' | 'repeated' | 'last';
  /** Whether each page must contain a record of the page before. */
  overlaps = false;
  /** Whether a page was not as expected, so that the pages after it can't overlap. */
  isInterrupted = false;
  /** Places between two pages where the list may have changed. */
  readonly gaps: Gap[] = [];
  /** Whether such a place has an unknown position, for example after a page with too few records. */
  hasUnknownGap = false;
  /** Whether records moved, so that the pages can't show whether one is missing. */
  hasMoved = false;
  private readonly waiting = new Map<number, ReadPage>();
  private readonly ready = new Map<number, IDataObject[]>();
  private taken = 0;
  private readonly known = new KnownMarks();
  private hasPositions = false;
  /** Mark of the list's first record. */
  private begin?: string | undefined;
  /** Number of records on the first page, which may be fewer than requested. */
  private size = 0;
  /** Last page with new records. */
  private last?: MarkedPage;
  /** Whether the last page shows that the list may have more records. */
  private hasMore = false;
  private returned = 0;
  private records = 0;

  constructor(
    readonly list: ListToFetch,
    private readonly count: number,
    private readonly wanted: number,
    private readonly keeps: (record: IDataObject) => boolean = () => true,
  ) {}

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
    const isLimited = this.totalRecords === PAGE_SIZE;
    const lacksProof = (this.list.needsIds === true || !this.isSingle) && !this.isProven;
    return (
      this.hasMore ||
      isLimited ||
      lacksProof ||
      this.length < (this.totalPages ?? 0) ||
      this.records < (this.totalRecords ?? 0)
    );
  }

  /**
   * Reads the totals on the first page. The other pages can overlap if the first page is as expected, and if nothing
   * depends on the number of pages or on two records with the same ID.
   */
  announce({ record, totalPages, totalRecords }: Extract<Answer, { ok: true }>): void {
    this.isSingle = !isList(record);
    const readable = (total?: number) => (Number.isNaN(total) ? undefined : total);
    [this.totalPages, this.totalRecords] = [readable(totalPages), readable(totalRecords)];
    this.hasUnreadableTotal = Number.isNaN(totalPages) || Number.isNaN(totalRecords);
    const counted = Math.ceil((this.totalRecords ?? 0) / this.count);
    this.announced = Math.max(1, this.totalPages ?? 0, counted);
    const { needsIds, ignoresNotes, isLast, mostPages } = this.list;
    const isVerified = !needsIds && !ignoresNotes && !isLast && mostPages === undefined;
    const isExpected = isList(record) && record.length === PAGE_SIZE && counted > 1 && totalPages === counted;
    this.overlaps = this.hasPositions = isVerified && isExpected && this.count === PAGE_SIZE;
  }

  isAnnounced({ number, count }: PageRequest): boolean {
    return number * count < (this.hasPositions ? (this.totalRecords ?? 0) : this.announced * this.count);
  }

  /** Adds a page in any order. */
  add(index: number, request: PageRequest, records: IDataObject[], totals: Totals): void {
    if (this.isInterrupted) return;
    if (records.length === 0 && !this.overlaps) this.over ??= 'end';
    this.waiting.set(index, { request, records, totals });
    for (let next = this.waiting.get(this.length); next; next = this.waiting.get(this.length)) {
      this.waiting.delete(this.length);
      this.include(next);
    }
  }

  /** Returns the new records up to a page that the caller did not take yet. The limit may cut them. */
  take(last = this.length - 1): IDataObject[] {
    const taken: IDataObject[] = [];
    for (; this.taken <= Math.min(last, this.length - 1); this.taken += 1) {
      for (const record of this.ready.get(this.taken) ?? []) taken.push(record);
      this.ready.delete(this.taken);
    }
    return taken;
  }

  /** Returns the number of the page after an interruption, which begins at the last included record or before it. */
  resume(): number {
    this.isInterrupted = false;
    return Math.floor((this.last?.end ?? 0) / this.count);
  }

  private include({ request, records, totals }: ReadPage): void {
    const { last } = this;
    if (!last) this.size = records.length;
    const ids = records.map((record) => this.idOf(record));
    const page = this.marked(request, records, ids);
    if (!last) this.begin = page.marks[0];
    const seam = last && this.hasPositions ? seamBetween(last, page) : NO_SEAM;
    const isKnown = this.isKnown(page, ids);
    const isFull = records.length === request.count;
    const isExpected = seam.isVerified && !(isKnown && isFull) && records.length <= request.count;
    if (last && this.overlaps && !isExpected) return this.interrupt();
    const isRepeated = isKnown && seam.overlap <= 0 && !this.hasShifted(page);
    const fresh = isRepeated ? new Set<number>() : this.freshIn(page, ids, seam);
    const [first = -1] = fresh;
    const repeated = records.length - fresh.size;
    this.hasMoved ||= this.list.mayMove === true && repeated > (seam.isUnmoved ? seam.overlap : 0);
    this.noteGap(page, seam, page.marks[first]);
    const { totalPages = 0, totalRecords = 0 } = totals;
    this.hasMore = (isFull && !isRepeated) || page.end < totalRecords || request.number + 1 < totalPages;
    if (records.length === 0) this.end(request);
    else if (isRepeated) this.over ??= 'repeated';
    else if (this.list.isLast?.(records)) this.over ??= 'last';
    if (records.length > 0 && !isRepeated) {
      // A page without new records verifies nothing.
      this.last = last && fresh.size === 0 ? { ...page, marks: last.marks } : page;
      this.returned += 1;
    } else if (last) last.isFull = false;
    this.records += fresh.size;
    this.keep(records.filter((_, index) => fresh.has(index)));
    this.length += 1;
  }

  /**
   * Ends the list at a page without records, or that the service refused. The last record may have moved to an earlier
   * page. A single page that is shorter than requested contains the whole list.
   */
  end(request: PageRequest): void {
    this.over ??= 'end';
    const isSingle = this.returned === 1 && this.size < this.count;
    if (this.last?.isFull && !isSingle && !this.hasUnknownGap) this.addGap(this.last, request);
    if (this.last) this.last.isFull = false;
  }

  /** Discards the pages that overlap and are not included yet. */
  interrupt(): void {
    this.isInterrupted = true;
    this.overlaps = false;
    this.waiting.clear();
  }

  private marked(request: PageRequest, records: IDataObject[], ids: Array<string | undefined>): MarkedPage {
    const count = Math.min(request.count, this.size);
    return {
      request: { number: request.number, count },
      marks: records.map((record, index) => ids[index] ?? JSON.stringify(record)),
      hasIds: !ids.includes(undefined),
      end: request.number * count + records.length,
      isFull: records.length === count,
    };
  }

  /** Returns whether an earlier page contains all IDs of a page, and the same records if some have no ID. */
  private isKnown({ marks, hasIds }: MarkedPage, ids: Array<string | undefined>): boolean {
    const all = [...ids.filter((id) => id !== undefined), ...(hasIds ? [] : [marks.join('\n')])];
    return all.length > 0 && all.every((mark) => this.known.has(mark));
  }

  /** Returns whether new records moved known ones to a page. If the service repeats a page, it begins like that page. */
  private hasShifted({ marks: [begin = ''], hasIds }: MarkedPage): boolean {
    return this.hasPositions && hasIds && begin !== this.begin && begin !== this.last?.marks[0];
  }

  /**
   * Returns the indexes of a page's new records. For a decision, two records of a page with the same ID can be two
   * payments.
   */
  private freshIn({ marks, hasIds }: MarkedPage, ids: Array<string | undefined>, seam: Seam): Set<number> {
    if (!hasIds) this.known.add(marks.join('\n'));
    const mayRepeat = this.list.needsIds === true;
    const isKnown = ids.map((id) => mayRepeat && id !== undefined && this.known.has(id));
    const isFresh = (id: string | undefined, index: number) =>
      id === undefined ? !seam.repeats(index) : this.known.add(id) || (mayRepeat && !isKnown[index]);
    return new Set(ids.flatMap((id, index) => (isFresh(id, index) ? [index] : [])));
  }

  /** @param after mark of the page's first new record. */
  private noteGap({ request }: MarkedPage, { overlap, isVerified, hasMoved }: Seam, after: string | undefined): void {
    this.hasMoved ||= hasMoved;
    if (!this.last || after === undefined || isVerified) return;
    if (!this.last.isFull || overlap < 0) this.hasUnknownGap = true;
    else this.addGap(this.last, request, after);
  }

  private addGap({ request, marks, end: at }: MarkedPage, next: PageRequest, after?: string): void {
    const before = marks.at(-1);
    if (before !== undefined) this.gaps.push({ at, pages: [request, next], before, after });
  }

  private keep(records: IDataObject[]): void {
    const kept = records.filter((record) => this.keeps(record));
    const shown = kept.slice(0, this.wanted - this.kept);
    this.isOverLimit ||= shown.length < kept.length;
    this.kept += shown.length;
    this.ready.set(this.length, shown);
  }

  /** Whether the limit ended the list. A total that may be limited to 100 proves no end. */
  get isCut(): boolean {
    const isWhole = (this.totalRecords ?? PAGE_SIZE) !== PAGE_SIZE && this.records >= (this.totalRecords ?? Infinity);
    return this.isOverLimit || (this.kept >= this.wanted && !this.over && !isWhole && this.mayContinue);
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
    return totalRecords === undefined && this.returned < totalPages
      ? `The service announced ${totalPages} pages but returned ${this.returned}. ${changed}`
      : undefined;
  }

  /** Returns no ID for a number that JavaScript rounded, because several IDs can round to it. */
  private idOf(record: IDataObject): string | undefined {
    const value = this.list.identity === undefined ? undefined : record[this.list.identity];
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined;
    return asText(value) || undefined;
  }
}
