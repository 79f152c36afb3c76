import type { IDataObject } from 'n8n-workflow';

import { asText, isObject } from './objects';
import type { Answer, ListDeclaration } from './types';

/** The service gives at most this many records in one answer (facts.md section 3). */
export const PAGE_SIZE = 100;
/** Pages read beyond those that the service counted, before a list is taken to have no end. */
const MOST_UNCOUNTED_PAGES = 1000;

export interface ListResult {
  records: IDataObject[];
  /** What a person should know about the list's completeness. */
  note?: string;
}

type Failed = Extract<Answer, { ok: false }>;

/**
 * Fetches one page. `wanted` tells, when its turn comes, whether anybody still waits for it.
 */
export type FetchPage = (page: number, count: number, wanted: () => boolean) => Promise<Answer>;

/** Data that arrives as a single object counts as one record (interface.md section 4). */
export function asRecords(data: unknown): IDataObject[] {
  if (Array.isArray(data)) return data.filter(isObject) as IDataObject[];
  return isObject(data) && Object.keys(data).length > 0 ? [data as IDataObject] : [];
}

/**
 * Fetches a list: the first page, then the others that the service counted, then one at a time. Goes by what the pages
 * hold, not only by the totals: as long as the last page is full, there may be one more.
 * @param limit how many records are wanted; all when `undefined`.
 * @param parallel how many pages are asked for at once at most.
 * @returns the records in the service's order, none twice, or the first failing answer.
 */
export async function fetchList(
  list: ListDeclaration,
  limit: number | undefined,
  fetchPage: FetchPage,
  parallel = 1,
): Promise<ListResult | Failed> {
  const count = Math.min(limit ?? PAGE_SIZE, PAGE_SIZE);
  const first = await fetchPage(0, count, () => true);
  if (!first.ok) return first;
  const wantedPages = limit === undefined ? Infinity : Math.ceil(limit / count);
  const counted = Math.min(first.totalPages ?? 1, wantedPages);
  const others = await fetchCounted(counted, parallel, async (page, wanted) => await fetchPage(page, count, wanted));
  if ('ok' in others) return others;
  const pages = [asRecords(first.record), ...others];
  const most = Math.min(wantedPages, pages.length + MOST_UNCOUNTED_PAGES);
  while (pages.length < most && pages.at(-1)?.length === count) {
    const answer = await fetchPage(pages.length, count, () => true);
    if (!answer.ok) return answer;
    const page = asRecords(answer.record);
    if (isRepetition(page, pages.at(-1))) break;
    pages.push(page);
  }
  return assemble(list, pages.flat(), limit, first.totalRecords);
}

/** The pages after the first that the service counted, in order, or the first failing answer. */
async function fetchCounted(
  counted: number,
  parallel: number,
  fetchPage: (page: number, wanted: () => boolean) => Promise<Answer>,
): Promise<IDataObject[][] | Failed> {
  const pages: IDataObject[][] = [];
  let next = 1;
  let end = counted;
  let failed: Failed | undefined;
  const reader = async () => {
    while (next < end && !failed) {
      const page = next++;
      const answer = await fetchPage(page, () => !failed);
      if (!answer.ok) return void (failed ??= answer);
      const records = asRecords(answer.record);
      pages[page - 1] = records;
      // After an empty page nothing is to come, whatever was counted.
      if (records.length === 0) end = 0;
    }
  };
  const readers = Array.from({ length: parallel }, reader);
  // A failing page may have closed the gate for the others: its failure is told, not theirs.
  const refused = (await Promise.allSettled(readers)).find((settled) => settled.status === 'rejected');
  if (failed) return failed;
  if (refused) throw refused.reason;
  return pages;
}

/** Whether a page is the one before it once more: a path that knows no pages, or stays at its last one. */
const isRepetition = (page: IDataObject[], before?: IDataObject[]) => JSON.stringify(page) === JSON.stringify(before);

function assemble(list: ListDeclaration, all: IDataObject[], limit: number | undefined, total?: number): ListResult {
  const seen = new Set<string>();
  const records = all.filter((record) => {
    const identity = list.identity && record[list.identity];
    if (identity === undefined || identity === null || identity === '') return true;
    const text = asText(identity);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
  if (limit !== undefined) return { records: records.slice(0, limit) };
  const complete = total === undefined || records.length >= total;
  return complete
    ? { records }
    : {
        records,
        note: `The service counted ${total} records, but ${records.length} different ones arrived: the list changed while it was read. Run again for a complete list.`,
      };
}
