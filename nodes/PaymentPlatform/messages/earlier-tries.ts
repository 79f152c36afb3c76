import type { IDataObject } from 'n8n-workflow';
import { declaredFields } from '../model/operation';
import type { Failure } from '../model/failure';
import { itemStepsOf } from '../model/item-steps';
import type { PlannedRequest } from '../model/types';
import type { EarlierTry, Finished, Remembered } from '../model/write-memory';
import { asText } from '../shared/objects';
import { describeFailure } from './describe-failure';
import { idsOf, referencesOf } from './name-rows';

const RESOLVE = (code: string | undefined) =>
  code === undefined
    ? ''
    : `When you know what became of it, add it to the option "Resolve Items" with the code ${code} and run the item again.`;

const OPEN_TRIES = {
  unknown: 'An earlier try sent this item and got no answer, so it was not sent again',
  unrecognisable:
    'An earlier try sent this item with another credential, so nobody can tell whether it is the same request; it was not sent again',
};
/** Messages for writes that n8n's database knows and whose execution data n8n lost. */
const WITNESSED: Record<Exclude<EarlierTry, 'underWay'>, string> = {
  begun:
    "An earlier try of this execution began to send this item, and n8n kept no answer, so it was not sent again (noted in n8n's database)",
  done: "An earlier try of this execution did this step, and n8n kept no result of it, so nothing more was sent (noted in n8n's database)",
  otherContent:
    "An earlier try of this execution began to send an item in this place with other content, so nobody can tell whether it is the same one; it was not sent (noted in n8n's database)",
  sameContent:
    "n8n kept nothing of the execution that was stopped. An equal item was sent before, by it or by an execution before it, so it was not sent again (noted in n8n's database)",
  keyBegun:
    '"Once per Key": this workflow began this for the same key before, in this execution or another one, and its outcome is unknown, so it was not sent',
  forgotten:
    "Several n8n processes wrote at once, or this execution sent more items than n8n's database keeps for a node, so nobody can tell whether an earlier try sent this item; it was not sent",
};
/** Messages for language models, which know neither items nor attempts. */
export const EQUAL_CALL_OPEN =
  'An equal call (the same object and the same amount) came before and is still under way, or got no answer, so this one was not sent';
const OPEN_CALLS = {
  unknown: EQUAL_CALL_OPEN,
  unrecognisable:
    'Earlier calls of this tool used another credential, so nobody can tell whether this one was done before; it was not sent',
};

/** Returns the failure of an item that isn't sent again because of an earlier attempt. */
export function rememberedFailure(known: Exclude<Remembered, Finished>, request: PlannedRequest): Failure {
  if (known.outcome === 'otherAccount') return describeFailure(otherAccount(known.code), request);
  const { code } = known;
  const resolve = code === undefined ? {} : { resolveCode: code };
  if (known.outcome === 'edited') return { ...editedFailure(known, request), ...resolve };
  const message = code === undefined ? OPEN_CALLS[known.outcome] : openTry(known);
  return describeFailure({ outcome: 'unknown', message, advice: RESOLVE(code), ...resolve }, request);
}

const openTry = (known: Extract<Remembered, { outcome: 'unknown' | 'unrecognisable' }>) =>
  known.outcome === 'unknown' && known.witness && known.witness !== 'underWay'
    ? WITNESSED[known.witness]
    : OPEN_TRIES[known.outcome];

/** Describes an item of an execution that began with another account. */
const otherAccount = (code: string): Failure => ({
  outcome: 'invalid',
  message:
    'This execution began with another account (base URL, merchant or environment), so this item was not sent with the account of the credential',
  advice: `Choose the credential of the first try. If you want to go on with this account, add the code ${code} to the option "Resolve Items" with "It Was Not Applied: Send It" and run the execution again: the code counts for all its items.`,
  resolveCode: code,
});

/** Describes an item whose parameters, input or expressions changed after an earlier attempt sent it. */
function editedFailure(
  { differs, finished, code }: Extract<Remembered, { outcome: 'edited' }>,
  request: PlannedRequest,
) {
  const names = differs.length > 0 ? differs.map((name) => labelOf(request, name)).join(', ') : 'its parameters';
  const [record] = finished?.records ?? [];
  const did = finished ? 'did this item' : 'sent this item and got no answer';
  return describeFailure(
    {
      outcome: finished ? 'doneBefore' : 'unknown',
      message: `An earlier try of this run ${did}, and the item was changed since (${names}), so it was not sent again`,
      advice: RESOLVE(code),
      ...(record && { references: idsOf(record), ...(typeof record.pg_id === 'string' && { pgId: record.pg_id }) }),
    },
    request,
  );
}

/** Describes an item with an unknown outcome that the user wanted to send again, but that the run didn't reach. */
export const openButNotStarted = (reason = 'the run stopped before'): Failure => ({
  outcome: 'unknown',
  message: `An earlier try sent this item and got no answer; it was not started again: ${reason}`,
  advice: '',
});

const NOTED =
  "An earlier try of this execution began to send an item in this place, and n8n kept no answer (noted in n8n's database)";

/**
 * Describes an item that is refused now although an earlier attempt of the run sent it. The result of that attempt
 * counts.
 */
export function refusedLater(
  failure: Failure,
  known: Pick<Finished, 'outcome' | 'records' | 'inPart'> | { outcome: 'unknown'; isNoted?: boolean },
): Failure {
  const wasDone = known.outcome === 'done';
  const record = wasDone ? (known.records[0] ?? {}) : {};
  const did = wasDone && known.inPart ? 'did a part of this item' : 'did this item';
  return {
    ...failure,
    outcome: wasDone ? 'doneBefore' : 'unknown',
    message: `${wasDone ? `An earlier try of this run ${did}` : known.isNoted ? NOTED : 'An earlier try of this run sent this item and got no answer'}. Now it is refused: ${failure.message}`,
    // If the item was done, correcting it would do it twice.
    advice: !wasDone ? ifNotApplied(failure.advice) : known.inPart ? failure.advice : '',
    references: idsOf(record),
  };
}

const labelOf = ({ operation }: PlannedRequest, name: string) =>
  `"${declaredFields(operation).find((field) => field.name === name)?.label ?? name}"`;

/**
 * Returns advice that is right only if the earlier attempt with an unknown outcome was not applied. Otherwise money
 * would move twice.
 */
const ifNotApplied = (advice: string) => (advice === '' ? '' : `If the earlier try was not applied: ${advice}`);

/**
 * Describes a request that the user sent again and that was not applied this time. The outcome of the earlier attempt
 * is still unknown.
 */
export function afterOpenTries(failure: Failure): Failure {
  return {
    ...failure,
    outcome: 'unknown',
    message: `It was not applied this time (${failure.outcome}): ${failure.message}. What became of the earlier try is still unknown`,
    advice: ifNotApplied(failure.advice),
  };
}

/** Returns the failure of an item with some completed steps. The message names the IDs of their records. */
export function partlyDone(
  failure: Failure,
  done: ReadonlyArray<Pick<Finished, 'records'>>,
  request: PlannedRequest,
): Failure {
  if (done.length === 0) return failure;
  const ids = done.reduce<IDataObject>((all, { records: [record = {}] }) => ({ ...all, ...idsOf(record) }), {});
  const named = Object.entries(ids).map(([name, id]) => `${name} ${asText(id)}`);
  const which = named.length > 0 ? ` (${named.join(', ')})` : '';
  return {
    ...failure,
    message: `${done.length} of ${itemStepsOf(request).length} steps were done${which}, the next was not: ${failure.message}`,
    references: { ...referencesOf(request), ...ids, ...failure.references },
    ...(failure.outcome !== 'unknown' && { applied: true }),
  };
}

/** Describes the rest of an item whose run ended between two steps. */
export const stoppedBetweenSteps = (reason = 'the run stopped before'): Failure => ({
  outcome: 'notSent',
  message: `It was not started: ${reason}`,
  advice: 'Run this item again.',
});
