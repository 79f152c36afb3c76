import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { failureData, mayBeApplied, reasonOf, sentencesOf } from './node-error';
import { FEWER_AT_ONCE } from '../messages/describe-answers';
import { movesMoney } from '../model/read-amounts';
import type { RequestResult } from '../model/results';
import type { Failure } from '../model/failure';
import type { Operation } from '../model/types';

/** A model could interpret a system code, such as "(econnreset)", as a reason to retry. */
const SYSTEM_CODE = / \(e[a-z_]+\)/g;

/** A model could interpret such a sentence as an instruction or a permission to repeat the call. */
const REPEATS =
  /(?<!\bnot )\b(?:run|running|send|try|retry)\b.*\b(?:again|too)\b|\brerun\b|\b(?:is safe|is harmless|can safely)\b/i;

const ASK = 'Tell the user what happened, and let the user decide.';

/** Most of these first sentences tell the model not to repeat the call. */
const HEADLINES: Record<Failure['outcome'], string> = {
  invalid: 'REFUSED. Nothing was sent for this call.',
  declined: 'DECLINED. Nothing was changed. Do not call again with the same values.',
  notSent: 'NOT DONE. Nothing was changed. Do not call again now.',
  unknown: 'OUTCOME UNKNOWN. Do not call again.',
  doneBefore: 'DONE BEFORE. The request was not sent again.',
};
/** The description of a tool names the first words of this text (describe-for-models.ts). */
const EARLIER_UNKNOWN = 'OUTCOME UNKNOWN FOR AN EARLIER CALL. Do not call again.';
const IN_PART = 'DONE IN PART. The completed steps remain in effect. Do not call again with the same values.';
const READ_FAILED = 'NOT READ. Nothing was changed.';
const EQUAL_DONE =
  'DONE BEFORE. An earlier call for the same record and the same amount was completed, so nothing was sent now. This is the result of the earlier call. Do not call again.';
const ALLOW_EQUAL = 'Only a person can allow the same payment again, in the settings of this tool.';
/** In bytes. Models tend to ignore the middle of a longer text. */
const MOST_BYTES = 8_000;
const ABOUT_LIST = 300;

const NOT_STARTED = 'NOT DONE. The request was not sent, and nothing was changed. Do not call again now.';

/**
 * Failures become items, because n8n shortens, removes or replaces error messages on their way to the model.
 * @param operation if missing, the texts assume an operation that moves money.
 */
export function toolItems(results: RequestResult[], operation?: Operation): INodeExecutionData[] {
  return results.flatMap((result): INodeExecutionData[] => {
    const pairedItem = { item: result.items[0] ?? 0 };
    if (result.kind === 'failed') {
      const isEarlier = result.remembered === true;
      return [{ json: toolAnswer(result.failure, operation, isEarlier), pairedItem }];
    }
    if (result.kind === 'notStarted') {
      const text = words([NOT_STARTED, forModels(result.reason), ASK]);
      return [{ json: { result: text, outcome: 'notSent' }, pairedItem }];
    }
    if (result.list) return listItems(result.records, result.list.total).map((json) => ({ json, pairedItem }));
    const about = result.remembered ? { result: equalDone(operation), outcome: 'doneBefore' } : {};
    const remark = result.partialFailure ? { remark: result.partialFailure.text } : {};
    // The first copy of `about` puts the text at the beginning. The second copy overwrites record fields with the same
    // name.
    return result.records.map((record) => ({
      json: { ...about, ...remark, ...hideError(record), ...about },
      pairedItem,
    }));
  });
}

/**
 * Nests a record that has an `error`. Otherwise, Retry On Fail would run the tool again (n8n.md#items-and-errors), and
 * the tool can't distinguish this run from another call by the model.
 */
const hideError = (record: IDataObject): IDataObject => (record.error === undefined ? record : { record });

/** Names the setting for repeated payments only if the tool has it (tool-guards.ts). */
const equalDone = (operation?: Operation) =>
  operation && !movesMoney(operation) ? EQUAL_DONE : `${EQUAL_DONE} ${ALLOW_EQUAL}`;

/** Returns a sentence about a list, and the records that fit. */
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

/** The node couldn't prepare the call and sent nothing. */
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
 * Tells a model the outcome, the reason and the allowed next steps.
 * @param isEarlier whether an unknown outcome is that of an earlier call, because the node didn't send this call.
 */
export function toolAnswer(failure: Failure, operation?: Operation, isEarlier = false): IDataObject {
  const { outcome, reads, advice, lookUp, said } = failure;
  // A refusal quotes the model's own values, which may contain any words.
  const message = outcome === 'invalid' ? failure.message.replace(SYSTEM_CODE, '') : forModels(failure.message);
  const own = said === undefined ? '' : forModels(`The service said: ${said}`);
  const isUnknown = outcome === 'unknown';
  const onlyRead = reads && isUnknown;
  const ofEarlier = isEarlier && isUnknown ? EARLIER_UNKNOWN : undefined;
  const headline = ofEarlier ?? (failure.applied && !isUnknown ? IN_PART : HEADLINES[outcome]);
  return {
    result: words([
      onlyRead ? READ_FAILED : headline,
      isUnknown && !onlyRead ? mayBeApplied(operation, ofEarlier && 'The earlier call') : '',
      message,
      forModels(advice),
      onlyRead ? '' : forModels(lookUp),
      own,
      ASK,
    ]),
    ...failureData({ ...failure, message }),
  };
}

const forModels = (text = '') =>
  text === FEWER_AT_ONCE
    ? ''
    : sentencesOf(text.replace(SYSTEM_CODE, '').trim())
        .filter((sentence) => !REPEATS.test(sentence))
        .join(' ');

const words = (parts: Array<string | undefined>) =>
  parts.flatMap((part) => (part ? [/[.!?]$/.test(part) ? part : `${part}.`] : [])).join(' ');
