import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { otherRecordFailure, withoutLookUp } from '../messages/describe-answers';
import { readRecords } from './decode-response';
import { fetchList, type ListResult } from './fetch-list';
import { lacksZeros } from '../model/likeness';
import { comparableText, isList } from '../shared/objects';
import { isRepeatable } from './retry-rules';
import { sendHttpRequest } from './send';
import type { RunOptions } from '../model/option-types';
import type { Account, Look } from '../model/types';
import type { Answer, FailedAnswer, Failure } from '../model/failure';

export interface Looking {
  context: IExecuteFunctions;
  account: Account;
  options: Pick<RunOptions, 'timeoutMs'>;
  answered?: (answer: Answer) => void;
}

/**
 * Reads records before a write. Sends each request once.
 * @returns the records, with a note if the list may contain more, or the failed or unreadable response.
 */
export async function lookUp(
  { context, account, options: { timeoutMs }, answered }: Looking,
  { path, family, query, list, identity, absent, ids = {} }: Look,
): Promise<ListResult | FailedAnswer> {
  const read = async (more: IDataObject = {}) => {
    const answer = await sendHttpRequest(context, account, {
      method: 'GET',
      path,
      family,
      decides: true,
      query: { ...query, ...more },
      timeoutMs,
    });
    answered?.(answer);
    return answer;
  };
  const readSingle = async () => {
    const answer = await read();
    return answer.ok ? readRecords(answer, { identity, needsIds: true }) : answer;
  };
  const readPage = async (page: number, count: number) => await read({ count, page });
  const found = list ? await fetchList({ ...list, needsIds: true }, undefined, readPage) : await readSingle();
  if ('failure' in found) return absent?.(found.failure) ? { records: [] } : found;
  const seen = isList(found) ? { records: found } : found;
  const name = Object.keys(ids).find((one) => seen.records.some((record) => !mayShow(record[one], ids[one])));
  return name === undefined ? seen : { ok: false, failure: otherRecordFailure(name) };
}

function mayShow(shown: unknown, id: unknown): boolean {
  const [one, other] = [comparableText(shown).toLowerCase(), comparableText(id).toLowerCase()];
  return one === '' || one === other || lacksZeros(shown, other);
}

/** Returns whether another look-up can succeed. */
export const isTemporary = (found?: ListResult | FailedAnswer): boolean =>
  found !== undefined && 'failure' in found && isRepeatable('reads', found.failure);

/** The look-up could read only part of a list. */
export const notWhole = (note: string): Failure => ({ outcome: 'unknown', message: note, advice: '' });

const RUN_AGAIN = 'Run this item again.';

/**
 * The look-up failed, so the node did not send the write.
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
