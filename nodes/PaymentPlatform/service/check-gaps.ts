import { isList } from '../shared/objects';
import { readRecords } from './decode-response';
import { inOrder } from './in-order';
import { type Gap, type ListPages, RUN_AGAIN } from './list-pages';
import type { FetchPage } from './page-requests';

const CHANGED = `The list changed while the node read it, so a record may be missing. ${RUN_AGAIN}`;
const UNVERIFIED = `The node could not check whether the list changed while the node read it, so a record may be missing. ${RUN_AGAIN}`;

/**
 * Detects records that the node missed because the list changed during reading. If a record is removed, later records
 * move to pages already read. The node therefore checks that the list contains no record between two pages.
 * @returns a notice if a record may be missing or a page could not be checked.
 */
export async function noteOnChanges(
  pages: ListPages,
  fetchPage: FetchPage,
  parallel: number,
): Promise<string | undefined> {
  const { gaps, hasMoved, hasUnknownGap } = pages;
  const results: Array<boolean | undefined> = [];
  const check = async ({ at, pages: [previous, next], before, after }: Gap) => {
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
      const isEnd = marks.length < count;
      return marks.some(
        (mark, index) => mark === before && marks[index + 1] === after && (after !== undefined || isEnd),
      );
    };
    // Only with a page size that doesn't divide the position, one page contains the records before and after it.
    let few = 2;
    while (at % few === 0) few += 1;
    if (await isClosed(Math.floor(at / few), few)) return true;
    // New records can move the two records to the next page, and removed records can move them back.
    return (
      !pages.list.mayMove &&
      ((await isClosed(next.number, next.count)) || (await isClosed(previous.number, previous.count)))
    );
  };
  const task = async (index: number) => {
    const gap = gaps[index];
    results[index] = gap && (await check(gap).catch(() => undefined));
    return true;
  };
  const checks = inOrder([0, gaps.length], { parallel }, task);
  while (!(await checks.next()).done);
  if (hasMoved || results.includes(false)) return CHANGED;
  return hasUnknownGap || results.includes(undefined) ? UNVERIFIED : undefined;
}
