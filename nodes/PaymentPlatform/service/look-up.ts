import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { withoutLookUp } from '../messages/describe-answers';
import { fetchList, type ListResult, type FailedAnswer } from './fetch-list';
import { asRecords } from '../shared/objects';
import { isRepeatable } from './retry-rules';
import { sendHttpRequest } from './send';
import type { RunOptions } from '../model/option-types';
import type { Account, Look } from '../model/types';
import type { Answer, Failure } from '../model/failure';

/** Context of a look-up. */
export interface Looking {
  context: IExecuteFunctions;
  account: Account;
  options: Pick<RunOptions, 'timeoutMs'>;
  answered?: (answer: Answer) => void;
}

/**
 * Reads records of the service before a write. Sends each request once.
 * @returns the records, with a note if the list may contain more, or the failed response.
 */
export async function lookUp(
  { context, account, options: { timeoutMs }, answered }: Looking,
  { path, family, query, list, absent }: Look,
): Promise<ListResult | FailedAnswer> {
  const read = async (more: IDataObject = {}) => {
    const answer = await sendHttpRequest(context, account, {
      method: 'GET',
      path,
      family,
      query: { ...query, ...more },
      timeoutMs,
    });
    answered?.(answer);
    return answer;
  };
  const found = list
    ? await fetchList({ ...list, fields: [] }, undefined, async (page, count) => await read({ count, page }))
    : await read();
  if ('failure' in found) return absent?.(found.failure) ? { records: [] } : found;
  return 'records' in found ? found : { records: asRecords(found.record) };
}

/** Returns the failure of a look-up that could read only part of a list. */
export const notWhole = (note: string): Failure => ({ outcome: 'unknown', message: note, advice: '' });

const RUN_AGAIN = 'Run this item again.';

/**
 * Returns the failure of an item whose look-up failed, so the node did not send the write.
 * @param what beginning of the sentence, which the reason completes.
 */
export const couldNotLook = (what: string, failure: Failure): Failure => ({
  outcome: isRepeatable('reads', failure) ? 'notSent' : 'invalid',
  message: `${what}: ${failure.message}`,
  advice: withoutLookUp(failure.advice, RUN_AGAIN),
  said: failure.said,
  httpStatus: failure.httpStatus,
  retryAfterMs: failure.retryAfterMs,
});
