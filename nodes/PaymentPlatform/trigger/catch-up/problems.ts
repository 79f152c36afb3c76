import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import { otherRecordFailure, unreadableFailure, withoutLookUp } from '../../messages/describe-answers';
import { maskRecord } from '../../messages/scrubber';
import type { Answer, Failure } from '../../model/failure';
import { asText, objectIn } from '../../shared/objects';
import { isUnknownPath } from '../service';
import { type MissedChange, nameChange } from './changes';

/** Limits the memory and the duration of an execution. */
export const MOST_CHANGES = 2_000;
export const CUT = `Catch-up stopped after ${MOST_CHANGES} changes. The next catch-up emits the others.`;
export const warn = (context: IExecuteFunctions, text: string) =>
  context.logger.warn(`Payment Platform Trigger: ${text}`, {
    workflowId: context.getWorkflow().id,
    node: context.getNode().name,
  });

/** The next catch-up also names the changes. */
export const warnFailed = (context: IExecuteFunctions, names: string[]) =>
  warn(context, unsuccessfulText(names, context.getExecutionId()));

const unsuccessfulText = (names: string[], executionId?: string) =>
  `${executionId === undefined ? 'An execution' : `Execution ${executionId}`} of these events did not succeed: ${list(names)}. To process them, retry the execution. To let catch-up emit such events again, turn on "Emit Failed Events Again".`;

const MOST_NAMES = 100;
const list = (names: string[]) =>
  [...names.slice(0, MOST_NAMES), ...(names.length > MOST_NAMES ? [`${names.length - MOST_NAMES} more`] : [])].join(
    ', ',
  );

const goneText = (names: string[]) =>
  `The service no longer has the records of these changes, so the trigger did not emit them: ${list(names)}.`;

const uncertainText = (names: string[]) =>
  `The trigger does not know whether the workflow received these changes, so it did not emit them: ${list(names)}.`;

export interface Unemitted {
  /** Their executions failed or were killed. */
  unsuccessful: MissedChange[];
  uncertain: MissedChange[];
  /** The service no longer has their records. */
  gone: MissedChange[];
  /** Events of records without IDs. The node can't remember such records, so each catch-up names them again. */
  nameless: string[];
}

/** @param isCut whether catch-up stopped before it read all changes. */
export const problemsOf = ({ unsuccessful, uncertain, gone }: Unemitted, isCut: boolean): string[] => [
  ...(unsuccessful.length > 0 ? [unsuccessfulText(unsuccessful.map(nameChange))] : []),
  ...(uncertain.length > 0 ? [uncertainText(uncertain.map(nameChange))] : []),
  ...(gone.length > 0 ? [goneText(gone.map(nameChange))] : []),
  ...(isCut ? [CUT] : []),
];

/** Returns no text if all records have IDs. */
export const namelessTexts = ({ nameless }: Unemitted): string[] => {
  const counts = [...new Set(nameless)].map((event) => `${nameless.filter((one) => one === event).length} ${event}`);
  return counts.length === 0 ? [] : [`Some records have no IDs, so the trigger did not emit them: ${list(counts)}.`];
};

export const unlistedText = ({ path, failure }: { path: string; failure: Failure }) =>
  `Catch-up omits changes that the account can't list (GET ${path}): ${failure.message}.`;

export const failureOf = (context: IExecuteFunctions, path: string, { message, advice }: Failure) =>
  new NodeOperationError(context.getNode(), `The trigger could not catch up: ${message}`, {
    description: `${withoutLookUp(advice)} The trigger emitted nothing. The next catch-up begins at the same place. (GET ${path})`,
  });

/** Returns `undefined` if the service no longer has the record. */
export function recordIn(context: IExecuteFunctions, answer: Answer, path: string, name: string, id: string) {
  if (!answer.ok && isUnknownPath(answer.failure)) return undefined;
  if (!answer.ok) throw failureOf(context, path, answer.failure);
  const record = objectIn(answer.record);
  if (asText(record[name]) !== id) throw failureOf(context, path, otherRecordFailure(name));
  if (asText(record.status) === '') throw failureOf(context, path, unreadableFailure(200));
  return maskRecord(record);
}
