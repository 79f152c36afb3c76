import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { CORRECT_AND_RUN, failureData, reasonOf } from './node-error';
import { FEWER_AT_ONCE } from '../messages/describe-answers';
import type { RequestResult } from '../model/results';
import type { Failure } from '../model/failure';

/** System code in brackets, such as "(econnreset)", which a model could interpret as a reason to retry. */
const SYSTEM_CODE = / \(e[a-z_]+\)/g;

/** Advice for users that a model could interpret as a request to call again. */
const NOT_FOR_MODELS = new Set([CORRECT_AND_RUN, FEWER_AT_ONCE]);

/**
 * Matches sentences in a longer text that a model could interpret as a request to call again, with the condition before
 * them.
 */
const RUN_AGAIN =
  /(?:If the earlier attempt was not applied: )?\b(?:Run(?:ning)? this item again|To send this item too)\b[^.]*\./g;

const ASK = 'Tell the user what happened, and let the user decide.';

/** Beginning of a response to a model: the outcome, and the instruction not to call again. */
const HEADLINES: Record<Failure['outcome'], string> = {
  invalid: 'REFUSED. Nothing was sent for this call.',
  declined:
    'DECLINED. Nothing was changed. Do not call again with the same values, because the result would be the same.',
  notSent: 'NOT DONE. The service did not accept the request, and nothing was changed. Do not call again now.',
  unknown: 'OUTCOME UNKNOWN. Do not call again. The request may have been applied, and money may have moved.',
  doneBefore: 'DONE BEFORE. The request was not sent again.',
};
const IN_PART = 'DONE IN PART. The completed steps remain in effect. Do not call again with the same values.';
const READ_FAILED = 'NOT READ. Nothing was changed.';
const EQUAL_DONE =
  'DONE BEFORE. An earlier call for the same record and the same amount was completed, so nothing was sent now. This is the result of the earlier call. Do not call again. Only a person can allow a second equal payment, in the settings of this tool.';
/** Maximum size of a list for a model in bytes, because a model pays for each word and forgets the middle of a long text. */
const MOST_BYTES = 8_000;
/** Maximum number of bytes of the sentence about the list. */
const ABOUT_LIST = 300;

const NOT_STARTED = 'NOT DONE. The request was not sent, and nothing was changed. Do not call again now.';

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
    if (result.list) return listItems(result.records, result.list.total).map((json) => ({ json, pairedItem }));
    const about = result.remembered ? { result: EQUAL_DONE, outcome: 'doneBefore' } : {};
    const remark = result.partialFailure ? { remark: result.partialFailure.text } : {};
    // Adds the text twice: first, so that it comes first in the output, and last, so that no field of the record
    // replaces it.
    return result.records.map((record) => ({ json: { ...about, ...remark, ...record, ...about }, pairedItem }));
  });
}

/**
 * Returns the records of a list that fit into a response to a model, after a sentence about the records that were left
 * out.
 */
function listItems(records: IDataObject[], total = records.length): IDataObject[] {
  let left = MOST_BYTES - ABOUT_LIST;
  const fits = records.findIndex((record) => (left -= Buffer.byteLength(JSON.stringify(record)) + 1) < 0);
  // The first record is always shown, because an empty list would not help the model.
  const shown = fits < 0 ? records : records.slice(0, Math.max(1, fits));
  return [{ result: listSentence(shown.length, records.length, Math.max(total, records.length)) }, ...shown];
}

function listSentence(shown: number, read: number, total: number): string {
  if (total === 0) return 'The list is empty.';
  if (shown === total) return `The list is complete: ${total} ${total === 1 ? 'record' : 'records'}.`;
  const others =
    shown < read
      ? 'The others are left out, because the response would be too long. To get them, filter the list or choose fewer fields in "Output".'
      : 'To get others, filter the list or raise "Limit".';
  return `${shown} of ${total} records. ${others} If this tool can't do that, tell the user how many records are missing.`;
}

/** Returns the item of a call that could not be prepared, so that nothing was sent. */
export function refusedItem(error: unknown): INodeExecutionData {
  return {
    json: toolAnswer({
      outcome: 'invalid',
      message: reasonOf(error, 'The node could not prepare this call'),
      advice: '',
    }),
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
