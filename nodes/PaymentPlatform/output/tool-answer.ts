import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { CORRECT_AND_RUN, failureData, reasonOf } from './node-error';
import { FEWER_AT_ONCE } from '../messages/describe-answers';
import type { RequestResult } from '../model/results';
import type { Failure } from '../model/failure';

/** System code in brackets, such as "(econnreset)", which a model could take as a reason to retry. */
const SYSTEM_CODE = / \(e[a-z_]+\)/g;

/** Advice for users that a model could take as a request to call again. */
const NOT_FOR_MODELS = new Set([CORRECT_AND_RUN, FEWER_AT_ONCE]);

/** Sentences of the same kind within longer texts. */
const RUN_AGAIN = /\bRun(?:ning)? this item again\b[^.]*\./g;

const ASK = 'Tell the person what happened and let them decide.';

/** Beginning of a response to a model: the outcome, and the instruction not to call again. */
const HEADLINES: Record<Failure['outcome'], string> = {
  invalid: 'REFUSED. Nothing was sent for this call.',
  declined:
    'DECLINED. Nothing was changed. The same call gets the same answer: do not call again with the same values.',
  notSent: 'NOT DONE. The service did not take the request, and nothing was changed. Do not call again now.',
  unknown: 'OUTCOME UNKNOWN. Do not call again: it may have been done, and money may have moved.',
  doneBefore: 'DONE BEFORE. It was not done again.',
};
const IN_PART = 'DONE IN PART. What was done stays. Do not call again with the same values.';
const READ_FAILED = 'NOT READ. Nothing was changed.';
const EQUAL_DONE =
  'DONE BEFORE. An equal call (the same object and the same amount) was done before, so it was not done again. This is its result. Do not call again: only a person can allow a second equal payment, in the panel of this tool.';
const NOT_STARTED = 'NOT DONE. It was not started, and nothing was changed. Do not call again now.';

/**
 * Returns the output of a node that runs as a tool. Failures are items instead of errors, because n8n passes an empty
 * or shortened message of an error to the model, and replaces some messages by the advice to retry.
 */
export function toolItems(results: RequestResult[]): INodeExecutionData[] {
  return results.flatMap((result): INodeExecutionData[] => {
    const pairedItem = { item: result.items[0] ?? 0 };
    if (result.kind === 'failed') return [{ json: toolAnswer(result.failure), pairedItem }];
    if (result.kind === 'notStarted')
      return [{ json: { result: words([NOT_STARTED, result.reason, ASK]), outcome: 'notSent' }, pairedItem }];
    const about = result.remembered ? { result: EQUAL_DONE, outcome: 'doneBefore' } : {};
    const remark = result.partialFailure ? { remark: result.partialFailure.text } : {};
    // Added first for the reader, and again last so that no field of the record replaces them.
    return result.records.map((record) => ({ json: { ...about, ...remark, ...record, ...about }, pairedItem }));
  });
}

/** Returns the item of a call that could not be prepared, so that nothing was sent. */
export function refusedItem(error: unknown): INodeExecutionData {
  return {
    json: toolAnswer({ outcome: 'invalid', message: reasonOf(error, 'The call could not be prepared'), advice: '' }),
    pairedItem: { item: 0 },
  };
}

/** Returns the response to a model about a failure: outcome, reason and allowed next steps. */
export function toolAnswer(failure: Failure): IDataObject {
  const { outcome, reads, message, advice, lookUp, said } = failure;
  const own = said === undefined ? '' : `The service said: ${said}`;
  const headline = failure.applied && outcome !== 'unknown' ? IN_PART : HEADLINES[outcome];
  const onlyRead = reads && outcome === 'unknown';
  return {
    result: words([
      onlyRead ? READ_FAILED : headline,
      message,
      forModels(advice),
      onlyRead ? '' : forModels(lookUp),
      own,
      ASK,
    ]),
    ...failureData({ ...failure, message: plain(message) }),
  };
}

const forModels = (advice = '') => (NOT_FOR_MODELS.has(advice) ? '' : advice.replace(RUN_AGAIN, '').trim());

const plain = (text: string) => text.replace(SYSTEM_CODE, '');

/** Joins sentences and adds missing periods. */
const words = (parts: Array<string | undefined>) =>
  parts
    .flatMap((part) => (part ? [plain(part).trim()] : []))
    .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
    .join(' ');
