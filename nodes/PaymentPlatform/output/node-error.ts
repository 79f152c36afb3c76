import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import type { Problem } from '../fields/types';
import { scrub } from '../shared/privacy';
import { asText } from '../shared/objects';
import { joinSentences } from '../messages/describe-answers';
import { typeRecord } from './format-record';
import type { Failure } from '../model/failure';
import { movesMoneyAtOnce } from '../model/read-amounts';
import type { Operation } from '../model/types';

export const MOST_PROBLEMS_NAMED = 5;

/** End of an instruction. If other rows were sent, running the node again would send these rows again. */
export const AND_RUN = ', and then run the node again.';
export const CORRECT_AND_RUN = `Correct the value${AND_RUN}`;

const NOTHING_SENT = 'Nothing was sent.';

const outcomeText: Record<Failure['outcome'], string> = {
  invalid: NOTHING_SENT,
  declined: '',
  notSent: 'This request was not applied.',
  doneBefore: 'This attempt sent nothing.',
  unknown:
    'A retry does not send the request again unless you chose "Send Again". Look up the record before you send the request again.',
};

/**
 * @param operation if missing, the sentence warns that money may have moved.
 * @param what subject of the sentence.
 */
export const mayBeApplied = (operation?: Operation, what = 'The request'): string =>
  operation && !movesMoneyAtOnce(operation)
    ? `${what} may have been applied.`
    : `${what} may have been applied, and money may have moved.`;

/**
 * Names the label, invalid value and allowed values of each problem.
 * @param advice where to correct the values.
 */
export function invalidFailure(problems: Problem[], advice = CORRECT_AND_RUN): Failure {
  const named = problems
    .slice(0, MOST_PROBLEMS_NAMED)
    .map(({ label, found, allowed }) => `"${label}" ${allowed}${found === 'nothing' ? '' : ` (found ${found})`}`);
  const left = problems.length - named.length;
  const more = left > 0 ? [left === 1 ? 'There is 1 more problem' : `There are ${left} more problems`] : [];
  return { outcome: 'invalid', message: joinSentences([...named, ...more]), advice };
}

/** Describes an item that the node could not read or check. */
export const unreadableItem = (error: unknown): Failure => ({
  outcome: 'invalid',
  message: `The node could not read this item: ${reasonOf(error)}`,
  advice: 'Check the parameters and the input data of this item.',
});

/** Describes a run that could not start, for example because the credential is invalid. */
export function refusedRun(error: unknown): Failure {
  const description: unknown = error instanceof NodeOperationError ? error.description : undefined;
  const advice = asText(description).replace(NOTHING_SENT, '').trim();
  return { outcome: 'invalid', message: reasonOf(error), advice };
}

/** For a TypeError or SyntaxError, returns only the name, because the message can contain an item's secrets. */
export function reasonOf(error: unknown, fallback = 'no reason given'): string {
  if (!(error instanceof Error)) return fallback;
  if (error instanceof RangeError && /call stack/.test(error.message)) return 'a value is nested too deeply';
  return error instanceof TypeError || error instanceof SyntaxError ? error.name : scrub(error.message);
}

export function failureData(failure: Failure): IDataObject {
  return {
    message: failure.message,
    outcome: failure.outcome,
    ...(failure.rcode !== undefined && { rcode: failure.rcode }),
    ...(failure.code !== undefined && { code: failure.code }),
    ...(failure.pgId !== undefined && { pg_id: failure.pgId }),
    ...(failure.httpStatus !== undefined && { httpStatus: failure.httpStatus }),
    ...(failure.tries !== undefined && { tries: failure.tries }),
    ...(failure.applied && { applied: true }),
    ...(failure.references && { references: typeRecord(failure.references) }),
    ...(failure.resolveCode !== undefined && { resolveCode: failure.resolveCode }),
  };
}

/** For a declined request, adds the first sentence of the advice. */
export function headline({ outcome, message, advice }: Failure): string {
  const [first] = outcome === 'declined' ? sentencesOf(advice) : [];
  return first === undefined ? message : `${message}${/[.!?]$/.test(message) ? '' : '.'} ${first}`;
}

export const sentencesOf = (text: string): string[] => (text === '' ? [] : text.split(/(?<=[.!?])\s+(?=[A-Z"])/));

/** @param sent number of other rows that were sent. */
const runOnlyThis = (sent: number): string =>
  `${sent === 1 ? '1 other row was' : `${sent} other rows were`} sent, so run only this row again.`;

function outcomeSentence({ outcome, reads, applied, message }: Failure, operation?: Operation): string {
  if (outcome === 'unknown' && reads) return 'Nothing was changed. Run the node again.';
  if (outcome === 'unknown') return `The outcome is unknown. ${mayBeApplied(operation)} ${outcomeText.unknown}`;
  if (outcome === 'invalid' && applied) return 'Nothing more was sent.';
  return outcome === 'invalid' && /nothing was sent/i.test(message) ? '' : outcomeText[outcome];
}

/**
 * Returns further advice, the outcome, the service's message and the request.
 * @param summary describes all other rows if the run stops.
 * @param sentOthers number of other rows that were sent if the run continues.
 */
export function failureDescription(failure: Failure, operation?: Operation, summary = '', sentOthers = 0): string {
  const { outcome, said } = failure;
  const isRowOnly = outcome === 'invalid' && !failure.applied && sentOthers > 0;
  const advice = isRowOnly ? failure.advice.replace(AND_RUN, '.') : failure.advice;
  const todo = outcome === 'declined' ? sentencesOf(advice).slice(1).join(' ') : advice;
  const tries = failure.tries === undefined ? '' : `The node sent the request ${failure.tries} times.`;
  const own = said === undefined ? '' : `The service said: ${said}.`;
  const sent = outcome === 'invalid' ? undefined : failure.request;
  const request = sent ? `Request: ${sent}${failure.pgId ? `, pg_id ${failure.pgId}` : ''}.` : '';
  const outcomeOf = isRowOnly ? runOnlyThis(sentOthers) : outcomeSentence(failure, operation);
  return [todo, outcomeOf, failure.lookUp, tries, summary, own, request].filter(Boolean).join(' ');
}

/** `summary` describes all other rows if the run stops. `otherErrors` lists other rows before the advice. */
export interface Place {
  item: number;
  row: string;
  summary: string;
  otherErrors?: string;
}

/** Converts a failure to an n8n error without a request body, header or cause. */
export function toNodeError(
  node: INode,
  failure: Failure,
  { item: itemIndex, row, summary, otherErrors = '' }: Place,
  operation?: Operation,
): NodeApiError | NodeOperationError {
  const message = [row, headline(failure)].filter(Boolean).join(': ');
  const advice = failureDescription({ ...failure, message }, operation, summary);
  const description = [otherErrors, advice].filter(Boolean).join(' ');
  const error =
    failure.outcome === 'invalid'
      ? new NodeOperationError(node, message, { itemIndex, description })
      : new NodeApiError(
          node,
          { message },
          {
            message,
            description,
            itemIndex,
            httpCode: failure.httpStatus === undefined ? undefined : String(failure.httpStatus),
          },
        );
  // n8n replaces messages that contain the name of a system error (n8n.md#items-and-errors).
  error.message = message;
  error.description = description;
  error.messages = [];
  // From a stored index, the editor would add "[item 1]", which counts from 0, to a message that counts rows from 1.
  Object.defineProperty(error.context, 'itemIndex', { value: itemIndex, enumerable: false });
  error.context.data = failureData(failure);
  return error;
}
