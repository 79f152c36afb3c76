import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { CORRECT_AND_RUN, failureData, reasonOf } from './node-error';
import { FEWER_AT_ONCE } from '../messages/describe-answers';
import type { RequestResult } from '../model/results';
import type { Failure } from '../model/failure';

/**
 * Matches a system code in parentheses, such as "(econnreset)". A model could interpret a system code as a reason to
 * retry.
 */
const SYSTEM_CODE = / \(e[a-z_]+\)/g;

/** Advice for users that a model could interpret as an instruction to repeat the call. */
const NOT_FOR_MODELS = new Set([CORRECT_AND_RUN, FEWER_AT_ONCE]);

/**
 * Matches sentences that a model could interpret as an instruction to repeat the call. If a condition precedes the
 * sentence, the match includes the condition.
 */
const RUN_AGAIN =
  /(?:If the earlier attempt was not applied: )?\b(?:Run(?:ning)? this item again|To send this item too)\b[^.]*\./g;

const ASK = 'Tell the user what happened, and let the user decide.';

/**
 * First sentences of a response to a model, by outcome. The sentences state the outcome and tell the model not to
 * repeat the call.
 */
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
/**
 * Maximum size of a list in a response to a model, in bytes. Long lists cost tokens, and models tend to ignore the
 * middle of a long text.
 */
const MOST_BYTES = 8_000;
/** Maximum size of the sentence that describes a list, in bytes. */
const ABOUT_LIST = 300;

const NOT_STARTED = 'NOT DONE. The request was not sent, and nothing was changed. Do not call again now.';

/**
 * Returns the output of a node that runs as a tool. Failures become items instead of errors, because n8n shortens or
 * removes error messages on their way to the model. n8n also replaces some error messages with advice to retry.
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
    // Adds `about` before and after the record. The first copy puts the text at the beginning, and the second copy
    // overwrites record fields with the same name.
    return result.records.map((record) => ({ json: { ...about, ...remark, ...record, ...about }, pairedItem }));
  });
}

/**
 * Returns a sentence about a list, followed by the records that fit into a response to a model. The sentence states the
 * number of included records and the total.
 */
function listItems(records: IDataObject[], total = records.length): IDataObject[] {
  let left = MOST_BYTES - ABOUT_LIST;
  const fits = records.findIndex((record) => (left -= Buffer.byteLength(JSON.stringify(record)) + 1) < 0);
  // Always includes the first record, because an empty list would not help the model.
  const shown = fits < 0 ? records : records.slice(0, Math.max(1, fits));
  return [{ result: listSentence(shown.length, records.length, Math.max(total, records.length)) }, ...shown];
}

function listSentence(shown: number, read: number, total: number): string {
  if (total === 0) return 'The list is empty.';
  if (shown === total) return `The list is complete: ${total} ${total === 1 ? 'record' : 'records'}.`;
  const others =
    shown < read
      ? 'The response omits the other records, because it would be too long. To get more records, filter the list or choose fewer fields in "Output".'
      : 'To get more records, filter the list or raise "Limit".';
  return `${shown} of ${total} records. ${others} If this is not possible, tell the user how many records are missing.`;
}

/** Returns the item of a call that the node could not prepare. The node sent nothing. */
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

/**
 * Returns the response to a model about a failure. The response contains the outcome, the reason and the allowed next
 * steps.
 */
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
