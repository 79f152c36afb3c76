import type { IDataObject } from 'n8n-workflow';
import { itemStepsOf, referencesOf, sentReferences } from '../model/operation';
import type { Failure } from '../model/failure';
import type { PlannedRequest } from '../model/types';
import type { Evidence, Finished, Remembered } from '../model/write-memory';
import { asText } from '../shared/objects';
import { describeFailure } from './describe-failure';
import { idsOf } from './name-rows';

/** The panel shows the option "Resolve Items" only if "If the Outcome Is Unknown" has the value "Resolve Items". */
const addCode = (code: string) =>
  `set the option "If the Outcome Is Unknown" to "Resolve Items". Then add the option "Resolve Items" with the code ${code}`;

const RESOLVE = (code: string) =>
  `When you know the outcome, ${addCode(code)} and your finding, and run the item again.`;

export const unusedCodes = (codes: string[]): string =>
  `"Resolve Items" contains codes that belong to no attempt of this execution, so they had no effect: ${codes.join(', ')}. Remove them.`;

const OPEN_ATTEMPTS = {
  unknown: 'An earlier attempt sent this item with an unknown outcome, so the item was not sent again',
  unrecognisable:
    "An earlier attempt may have sent this item with a different credential. The node can't compare this request with the earlier request, so the item was not sent",
};
/** Messages for writes that n8n's database contains although n8n lost their execution data. */
const EVIDENCE: Record<Exclude<Evidence, 'doneOther'>, string> = {
  underWay:
    'Another attempt in n8n is sending this item now, so this item was not sent. If n8n was stopped, wait a few minutes',
  begun:
    "According to n8n's database, an earlier attempt started to send this item, but n8n did not save a response. The item was not sent again",
  otherValues:
    "An earlier attempt sent this item with other values and with an unknown outcome. The node can't look up that attempt, so the item was not sent again",
  done: "According to n8n's database, an earlier attempt completed this step, but n8n kept no result. Nothing more was sent",
  otherContent:
    "According to n8n's database, an earlier attempt started to send an item with different content. The node can't tell whether this item is a changed version of that item, so this item was not sent",
  sameContent:
    "n8n didn't save the data of the stopped execution. n8n's database shows that the stopped execution or an earlier execution already sent a matching item, so this item was not sent again",
  keyBegun:
    '"Once per Key": this workflow already started an item with the same key in this or another execution. The outcome of that item is unknown, so this item was not sent',
  forgotten:
    "The node can't tell whether an earlier attempt sent this item, so the item was not sent. Newer payments may have replaced the attempt's entries in n8n's database, or several n8n processes may have written to the database at the same time",
};
/** These messages for language models avoid the terms "item" and "attempt", because models don't know them. */
export const EQUAL_CALL_OPEN =
  'An earlier call for the same record and the same amount is still in progress or has an unknown outcome, so this call was not sent';
const OPEN_CALLS = {
  unknown: EQUAL_CALL_OPEN,
  unrecognisable:
    "Earlier calls of this tool used a different credential. The node can't compare this call with the earlier calls, so this call was not sent",
};

/** The node doesn't send the item again because of an earlier attempt. */
export function rememberedFailure(known: Exclude<Remembered, Finished>, request: PlannedRequest): Failure {
  if (known.outcome === 'otherAccount') return describeFailure(otherAccount(known.code), request);
  if (known.outcome === 'edited') return { ...editedFailure(known, request), resolveCode: known.code };
  const { code } = known;
  if (code === undefined) {
    const isBusy = known.outcome === 'unknown' && known.evidence === 'underWay';
    const message = isBusy ? EVIDENCE.underWay : OPEN_CALLS[known.outcome];
    const advice = isBusy ? 'Run this item again when the other attempt has ended.' : '';
    return describeFailure({ outcome: 'unknown', message, advice }, request);
  }
  const message = openAttempt(known);
  const failure: Failure = { outcome: 'unknown', message, advice: RESOLVE(code), resolveCode: code };
  return describeFailure(failure, request, sentBefore(known, request));
}

/** The current item may contain other values. */
function sentBefore(known: Exclude<Remembered, Finished>, request: PlannedRequest): IDataObject | 'nothing known' {
  if (known.outcome === 'edited') return known.sent ?? 'nothing known';
  if (known.outcome !== 'unknown') return sentReferences(request);
  const { evidence, sent = sentReferences(request) } = known;
  if (evidence === 'otherContent' || evidence === 'doneOther' || (evidence === 'otherValues' && !known.sent))
    return 'nothing known';
  const { reference } = request.values;
  const isOther = evidence !== undefined && reference?.isLasting === false;
  return isOther ? Object.fromEntries(Object.entries(sent).filter(([name]) => name !== reference.name)) : sent;
}

const openAttempt = (known: Extract<Remembered, { outcome: 'unknown' | 'unrecognisable' }>) =>
  known.outcome === 'unknown' && known.evidence
    ? EVIDENCE[known.evidence === 'doneOther' ? 'done' : known.evidence]
    : OPEN_ATTEMPTS[known.outcome];

const otherAccount = (code: string): Failure => ({
  outcome: 'invalid',
  message:
    'This execution started with a different account (base URL, merchant or environment) than the current credential has, so this item was not sent',
  advice: `Choose the credential of the first attempt. To continue with the current account, ${addCode(code)} and "Not Applied: Send Again", and run the execution again. The code applies to all items of the execution.`,
  resolveCode: code,
});

function editedFailure(known: Extract<Remembered, { outcome: 'edited' }>, request: PlannedRequest) {
  const { differs, finished, code } = known;
  const names = differs.length > 0 ? differs.map((name) => `"${name}"`).join(', ') : 'The parameters of the item';
  const [record] = finished?.records ?? [];
  const did = finished ? 'completed this item' : 'sent this item with an unknown outcome';
  return describeFailure(
    {
      outcome: finished ? 'doneBefore' : 'unknown',
      message: `An earlier attempt ${did}. ${names} changed after that attempt, so the item was not sent again`,
      advice: RESOLVE(code),
      ...(record && { references: idsOf(record), ...(typeof record.pg_id === 'string' && { pgId: record.pg_id }) }),
    },
    request,
    sentBefore(known, request),
  );
}

/** The user wanted to send the item again, but the run stopped first. */
export const openButNotStarted = (reason = 'The run stopped earlier'): Failure => ({
  outcome: 'unknown',
  message: `An earlier attempt sent this item with an unknown outcome. The item was not sent again. ${reason}`,
  advice: '',
});

const NOTED = {
  unread: "n8n's database failed, so the node can't tell whether an earlier attempt sent this item",
  place:
    "According to n8n's database, an earlier attempt started to send an item at this position, but n8n kept no response",
  content:
    "n8n didn't save the data of the stopped execution. n8n's database shows that the stopped execution or an earlier execution already sent a matching item",
};

/** Describes an item that the node refuses, with the outcome of its earlier attempt. */
export function refusedLater(
  failure: Failure,
  known: Pick<Finished, 'outcome' | 'records' | 'inPart'> | { outcome: 'unknown'; noted?: keyof typeof NOTED },
): Failure {
  const wasDone = known.outcome === 'done';
  const record = wasDone ? (known.records[0] ?? {}) : {};
  const did = wasDone && known.inPart ? 'completed part of this item' : 'completed this item';
  return {
    ...failure,
    outcome: wasDone ? 'doneBefore' : 'unknown',
    message: `${wasDone ? `An earlier attempt ${did}` : known.noted ? NOTED[known.noted] : 'An earlier attempt sent this item with an unknown outcome'}. This attempt was refused: ${failure.message}`,
    // If an earlier attempt completed the item, sending a corrected item would repeat the write.
    advice: !wasDone ? ifNotApplied(failure.advice) : known.inPart ? failure.advice : '',
    references: idsOf(record),
  };
}

/** If the service did apply the earlier attempt, following the advice would move money twice. */
const ifNotApplied = (advice: string) => (advice === '' ? '' : `If the earlier attempt was not applied: ${advice}`);

/** Describes a second attempt that the service did not apply, while the outcome of the first is unknown. */
export function afterOpenAttempts(failure: Failure): Failure {
  return {
    ...failure,
    outcome: 'unknown',
    message: `This attempt was not applied (${failure.outcome}): ${failure.message}. The outcome of the earlier attempt is still unknown`,
    advice: ifNotApplied(failure.advice),
  };
}

/** Describes an item whose first requests succeeded, with the IDs of the records that they created. */
export function partlyDone(
  failure: Failure,
  done: ReadonlyArray<Pick<Finished, 'records'>>,
  request: PlannedRequest,
): Failure {
  if (done.length === 0) return failure;
  const ids = done.reduce<IDataObject>((all, { records: [record = {}] }) => ({ ...all, ...idsOf(record) }), {});
  const named = Object.entries(ids).map(([name, id]) => `${name} ${asText(id)}`);
  const which = named.length > 0 ? ` (${named.join(', ')})` : '';
  const places = itemStepsOf(request);
  const isUnknown = failure.outcome === 'unknown';
  const { unfinished } = request.operation.steps?.each[done.length] ?? {};
  const told = unfinished?.(
    done.map(({ records: [record = {}] }) => record),
    isUnknown,
  );
  const steps = `Completed ${done.length} of ${places.length} steps${which}. The next step was not completed`;
  return {
    ...failure,
    message: `${told?.message ?? steps}: ${failure.message}`,
    ...(told && { advice: [failure.advice, told.advice].filter(Boolean).join(' ') }),
    references: { ...referencesOf(request), ...ids, ...failure.references },
    ...(!isUnknown && { applied: true }),
  };
}

/** Describes an item whose run stopped between two requests. */
export const stoppedBetweenSteps = (reason = 'The run stopped earlier'): Failure => ({
  outcome: 'notSent',
  message: `The step was not started. ${reason}`,
  advice: 'Run this item again.',
});
