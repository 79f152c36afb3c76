import type { IDataObject } from 'n8n-workflow';

import { isObject } from './objects';
import type { Answer, ListDeclaration } from './types';

/** The service gives at most this many records in one answer (facts.md section 3). */
export const PAGE_SIZE = 100;

export interface ListResult {
  records: IDataObject[];
  /** What a person should know about the list's completeness. */
  note?: string;
}

/** Data that arrives as a single object counts as one record (interface.md section 4). */
export function asRecords(data: unknown): IDataObject[] {
  if (Array.isArray(data)) return data.filter(isObject) as IDataObject[];
  return isObject(data) && Object.keys(data).length > 0 ? [data as IDataObject] : [];
}

/**
 * Fetches a list: the first page, then the others in parallel through `fetchPage` (which bounds them). Goes by what
 * the pages hold, not only by the totals: as long as the last page is full, there may be one more.
 * @param limit how many records are wanted; all when `undefined`.
 * @returns the records in the service's order, none twice, or the first failing answer.
 */
export async function fetchList(
  list: ListDeclaration,
  limit: number | undefined,
  fetchPage: (page: number, count: number) => Promise<Answer>,
): Promise<ListResult | Extract<Answer, { ok: false }>> {
  const count = Math.min(limit ?? PAGE_SIZE, PAGE_SIZE);
  const first = await fetchPage(0, count);
  if (!first.ok) return first;
  const pages = [asRecords(first.record)];
  const wantedPages = limit === undefined ? Infinity : Math.ceil(limit / count);
  let known = Math.min(first.totalPages ?? 1, wantedPages);
  while (pages.length < known || (pages.length < wantedPages && pages.at(-1)?.length === count && !repeats(pages))) {
    known = Math.max(known, pages.length + 1);
    const numbers = Array.from({ length: known - pages.length }, (_, index) => pages.length + index);
    for (const answer of await Promise.all(numbers.map((page) => fetchPage(page, count)))) {
      if (!answer.ok) return answer;
      pages.push(asRecords(answer.record));
    }
  }
  if (pages.length > (first.totalPages ?? 1) && repeats(pages)) pages.pop();
  return assemble(list, pages.flat(), limit, first.totalRecords);
}

/** Whether the last page is the one before it once more: a path that knows no pages, or stays at its last one. */
const repeats = (pages: IDataObject[][]) =>
  pages.length > 1 && JSON.stringify(pages.at(-1)) === JSON.stringify(pages.at(-2));

function assemble(list: ListDeclaration, all: IDataObject[], limit: number | undefined, total?: number): ListResult {
  const seen = new Set<unknown>();
  const records = all.filter((record) => {
    const identity = list.identity && record[list.identity];
    if (identity === undefined || identity === null || identity === '') return true;
    if (seen.has(identity)) return false;
    seen.add(identity);
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
