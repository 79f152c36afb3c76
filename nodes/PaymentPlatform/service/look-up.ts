import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { withoutLookUp } from '../messages/describe-answers';
import { fetchList, type ListResult, type FailedAnswer } from './fetch-list';
import { asRecords } from '../shared/objects';
import { isRepeatable } from './retry-rules';
import { sendHttpRequest } from './send';
import type { RunOptions } from '../model/option-types';
import type { Account, Look } from '../model/types';
import type { Answer, Failure } from '../model/failure';

/** With what a look is made. */
export interface Looking {
  context: IExecuteFunctions;
  account: Account;
  options: Pick<RunOptions, 'timeoutMs'>;
  /** Told of each answer. */
  answered?: (answer: Answer) => void;
}

/**
 * Reads what the service has before something is written. Each request is sent once: who looks, looks again.
 * @returns the records, none where there is no such record, with a note when there may be more; or the failing answer.
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

/** What a look that is not whole comes to. */
export const notWhole = (note: string): Failure => ({ outcome: 'unknown', message: note, advice: '' });

const RUN_AGAIN = 'Run this item again.';

/**
 * The failure of an item for which nobody could look: the write that was to follow was not sent.
 * @param what the beginning of a sentence that ends in why.
 */
export const couldNotLook = (what: string, failure: Failure): Failure => ({
  outcome: isRepeatable('reads', failure) ? 'notSent' : 'invalid',
  message: `${what}: ${failure.message}`,
  advice: withoutLookUp(failure.advice, RUN_AGAIN),
  said: failure.said,
  httpStatus: failure.httpStatus,
  retryAfterMs: failure.retryAfterMs,
});
