import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { CORRECT_AND_RUN, failureData, reasonOf } from './node-error';
import { FEWER_AT_ONCE } from '../messages/describe-answers';
import type { RequestResult } from '../model/results';
import type { Failure } from '../model/failure';

/** A system code in brackets, such as "(econnreset)", tells a model nothing but that it could try again. */
const SYSTEM_CODE = / \(e[a-z_]+\)/g;

/** Advice to a person at the node, in which a model would read that it is to call again. */
const NOT_FOR_MODELS = new Set([CORRECT_AND_RUN, FEWER_AT_ONCE]);

/** Sentences of the same kind that stand in longer texts. */
const RUN_AGAIN = /\bRun(?:ning)? this item again\b[^.]*\./g;

const ASK = 'Tell the person what happened and let them decide.';

/** What a model reads first: the outcome, and that it is not to call again. */
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
 * The output of a node that runs as a tool: a failure is an item in words, never an error. n8n hands a model an empty or
 * a shortened message for what is thrown, and replaces some messages by the advice to retry.
 */
export function toolItems(results: RequestResult[]): INodeExecutionData[] {
  return results.flatMap((result): INodeExecutionData[] => {
    const pairedItem = { item: result.items[0] ?? 0 };
    if (result.kind === 'failed') return [{ json: toolAnswer(result.failure), pairedItem }];
    if (result.kind === 'notStarted')
      return [{ json: { result: words([NOT_STARTED, result.reason, ASK]), outcome: 'notSent' }, pairedItem }];
    const about = result.remembered ? { result: EQUAL_DONE, outcome: 'doneBefore' } : {};
    const remark = result.partialFailure ? { remark: result.partialFailure.text } : {};
    // First for the reader, and last so that no field of the record takes their place.
    return result.records.map((record) => ({ json: { ...about, ...remark, ...record, ...about }, pairedItem }));
  });
}

/** The item of a call that could not be prepared: nothing was sent then. */
export function refusedItem(error: unknown): INodeExecutionData {
  return {
    json: toolAnswer({ outcome: 'invalid', message: reasonOf(error, 'The call could not be prepared'), advice: '' }),
    pairedItem: { item: 0 },
  };
}

/** What a model reads of a failure: outcome, reason, and what may be done. */
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

/** Sentences in a row, each with its full stop. */
const words = (parts: Array<string | undefined>) =>
  parts
    .flatMap((part) => (part ? [plain(part).trim()] : []))
    .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
    .join(' ');
