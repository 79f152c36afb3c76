import type { IDataObject } from 'n8n-workflow';

import { asRecords } from '../shared/objects';
import type { Answer } from '../model/failure';

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
