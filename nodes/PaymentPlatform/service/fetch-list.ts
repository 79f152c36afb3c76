import type { IDataObject } from 'n8n-workflow';
import type { FailedAnswer } from '../model/failure';
import type { ListToFetch } from '../model/types';
import { isList } from '../shared/objects';
import { noteOnChanges } from './check-gaps';
import { readRecords } from './decode-response';
import { inOrder } from './in-order';
import { ListPages } from './list-pages';
import {
  adjacentPages,
  endOf,
  type FetchPage,
  isAfterEnd,
  overlappingPages,
  PAGE_SIZE,
  type PageRequest,
} from './page-requests';

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
  const pages = new ListPages(list, count, wanted, keeps);
  let failed: FailedAnswer | undefined;
  let refused: { reason: unknown } | undefined;
  const goesOn = () => !failed && !pages.over && !pages.isInterrupted;
  const read = async (index: number, request: PageRequest) => {
    const { overlaps } = pages;
    const isOptional = overlaps || (!pages.isAnnounced(request) && pages.mayBeOver) ? isAfterEnd : undefined;
    const answer = await fetchPage(request.number, request.count, () => failed === undefined, isOptional);
    if (overlaps && !pages.overlaps) return;
    if (isOptional?.(answer)) return overlaps ? pages.interrupt() : pages.end(request);
    const records = answer.ok ? readRecords(answer, list, request.number) : answer;
    if (!isList(records)) return void (failed ??= records);
    if (index === 0 && answer.ok) pages.announce(answer);
    pages.add(index, request, records, answer.ok ? answer : {});
  };

  await read(0, { number: 0, count });
  const most = list.mostPages ?? Infinity;
  for (let first = 1; ; first = pages.resume()) {
    const layout = pages.overlaps ? overlappingPages(count) : adjacentPages(first, count);
    const announced = pages.overlaps ? pages.totalRecords : (pages.totalPages ?? 1) * count;
    const target = Math.min(announced ?? 0, wanted, MOST_ANNOUNCED_PAGES * count, most * count);
    const requests: PageRequest[] = [];
    for (let end = first * count; end < target; end = endOf(requests.at(-1) ?? layout.next().value))
      requests.push(layout.next().value);
    const begin = pages.length;
    const readAnnounced = async (index: number) =>
      await read(index, requests[index - begin] ?? layout.next().value).then(
        () => true,
        (reason: unknown) => {
          refused ??= { reason };
          return false;
        },
      );
    const numbers = [begin, begin + requests.length] as const;
    for await (const index of inOrder(numbers, { parallel, mostAhead }, readAnnounced, goesOn)) {
      const records = failed || refused ? [] : pages.take(index);
      if (records.length > 0) yield records;
    }
    if (failed) return failed;
    if (refused) throw refused.reason;

    const needed = limit === undefined ? 0 : Math.ceil(wanted / count);
    const end = Math.min(Math.max(pages.length, needed) + MOST_FURTHER_PAGES, most);
    for (;;) {
      const records: IDataObject[] = failed ? [] : pages.take();
      if (records.length > 0) yield records;
      if (!goesOn() || !pages.mayContinue || pages.kept >= wanted || pages.length >= end) break;
      await read(pages.length, layout.next().value);
    }
    if (failed) return failed;
    if (!pages.isInterrupted) break;
  }
  const note = pages.note() ?? (list.ignoresNotes ? undefined : await noteOnChanges(pages, fetchPage, parallel));
  return {
    total: keeps ? undefined : pages.totalRecords,
    isCut: pages.isCut,
    ...(note !== undefined && { note }),
  };
}
