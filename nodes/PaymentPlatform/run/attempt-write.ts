import type { IDataObject } from 'n8n-workflow';

import { completeBody } from './decide-request';
import { CHANGED_FILE, readContents, type FileContents } from '../service/read-files';
import { NotStarted } from '../service/gate';
import { rememberedFailure } from '../messages/earlier-tries';
import { adjustPace, sendHttpRequest } from '../service/send';
import { sharesOf } from '../model/item-steps';
import type { SharedRun } from './shared-run';
import type { PlannedRequest } from '../model/types';
import type { Remembered, WriteOutcome } from '../model/write-memory';
import type { Answer, Failure } from '../model/failure';

/** Attempt of a write, with the parts that the node reads right before sending. */
interface WriteAttempt {
  shared: SharedRun;
  request: PlannedRequest;
  /** Completed body. Missing if the request's own body is complete. */
  body?: IDataObject;
  contents?: FileContents;
}

/** `undefined` if the node may send the write, the record that completes the write, or the reason not to send it. */
type Verdict = Answer | undefined;

/** Source of evidence about earlier writes. Each witness also records the write before it is sent. */
interface Witness {
  begin: (attempt: WriteAttempt) => Promise<Verdict>;
  /** Records the outcome of the write. The response is missing if sending threw an error. */
  settle?: (attempt: WriteAttempt, outcome: WriteOutcome, answer?: Answer) => void;
}

/** Proves that an earlier attempt of the execution began the write, or that an execution of the workflow used its key. */
const database: Witness = {
  begin: async ({ shared, request }) => await beginInDatabase(shared, request),
  settle: ({ shared: { keys }, request }, outcome) => keys.settle(request, outcome),
};

/** Proves that the service already has an equal record, from any source. */
const serviceRecords: Witness = {
  begin: async ({ shared: { duplicates, lostAnswers }, request }) => {
    const there = await duplicates?.findDuplicate(request);
    if (!there) return undefined;
    return 'failure' in there ? refused(there.failure) : lostAnswers.sighted(request, there);
  },
};

/** Proves that the files of the request have not changed since the check, and that the body is complete. */
const content: Witness = {
  begin: async (attempt) => {
    const { shared, request } = attempt;
    const { operation, decided } = request;
    if ((decided?.to ?? operation.request).encoding === 'multipart') {
      const contents = await readContents(shared.context, request);
      if (contents === 'changed') return refused(CHANGED_FILE);
      attempt.contents = contents;
    }
    if (operation.completion) {
      const completed = await completeBody(shared, request);
      if ('failure' in completed) return refused(completed.failure);
      attempt.body = completed.body;
    }
    return undefined;
  },
};

/** Proves that the amount stays within the daily limit. */
const dayLimit: Witness = {
  begin: async ({ shared, request }) => {
    const over = await shared.dayLimit?.leaves(request);
    return over && refused(over);
  },
  settle: ({ shared, request }, outcome, answer) => {
    if (answer !== undefined || outcome === 'refused') shared.dayLimit?.settle(request, answer);
  },
};

/**
 * Witnesses of a write in their order. The database comes first, so that a kill at any later time leaves a trace. The
 * execution's memory is checked before all of them (see process-write.ts) and again right before the write is sent
 * (`leave`). The memory proves what this execution did, and that the amount stays within the limit per execution.
 */
const WITNESSES: readonly Witness[] = [database, serviceRecords, content, dayLimit];

/**
 * Attempts a write once and looks up an unknown outcome at the service.
 * @param found records that a step read for its decision.
 */
export async function attemptWrite(shared: SharedRun, request: PlannedRequest, found?: IDataObject[]): Promise<Answer> {
  await shared.lostAnswers.begins(request, found);
  const answer = await sendWrite(shared, request);
  return shared.earlier.has(request) ? answer : await shared.lostAnswers.settle(request, answer);
}

/** Sends a write once, unless a witness refuses it. All witnesses get the outcome. */
export async function sendWrite(shared: SharedRun, request: PlannedRequest): Promise<Answer> {
  const attempt: WriteAttempt = { shared, request };
  // If the database prevents the write, no witness has recorded it.
  const known = await database.begin(attempt);
  if (known) return known;
  const settle = (outcome: WriteOutcome, answer?: Answer) => {
    for (const witness of WITNESSES) witness.settle?.(attempt, outcome, answer);
  };
  const tried = async () => (await firstVerdict(attempt)) ?? (await leave(attempt));
  const answer = await tried().catch((error: unknown) => {
    settle(error instanceof NotStarted ? 'refused' : 'unknown');
    throw error;
  });
  settle(answer.ok ? 'done' : answer.failure.outcome === 'unknown' ? 'unknown' : 'refused', answer);
  return answer;
}

/**
 * Returns the result of an earlier attempt of the execution for a write that a step refuses now. The record can have its
 * current state because of that attempt.
 */
export async function findEarlierAttempt(shared: SharedRun, request: PlannedRequest): Promise<Verdict> {
  const { keys, memory, earlier, lostAnswers } = shared;
  const obstacle = await keys.earlier(request, memory.attempt(request)).catch(() => undefined);
  const known = obstacle && memory.witnessed(request, obstacle);
  if (!known) return undefined;
  earlier.set(request, known);
  return (await lostAnswers.earlier(request, known)) ?? standing(request, known);
}

/** Records each share of a request. If one share must not be sent, none of the request is sent. */
async function beginInDatabase(shared: SharedRun, request: PlannedRequest): Promise<Verdict> {
  const { earlier, keys, lostAnswers } = shared;
  const shares = sharesOf(request);
  const verdicts = await Promise.all(shares.map(async (share) => await recordWrite(shared, share)));
  const verdict = verdicts.find((one) => one !== undefined);
  if (!verdict) return undefined;
  for (const [index, share] of shares.entries()) {
    const known = earlier.get(share);
    if (known) earlier.set(request, known);
    // Shares that no earlier attempt sent are sent with another request.
    if (!verdicts[index]) keys.settle(share, 'refused');
  }
  const known = earlier.get(request);
  return (known && (await lostAnswers.earlier(request, known))) ?? verdict;
}

/**
 * Records a write and its key (option Once per Key) in n8n's database. If a person released the write, the node first
 * looks up the earlier attempt.
 */
export async function recordWrite(
  { keys, memory, earlier, lostAnswers }: Pick<SharedRun, 'keys' | 'memory' | 'earlier' | 'lostAnswers'>,
  request: PlannedRequest,
): Promise<Verdict> {
  let asked: string | undefined;
  for (;;)
    try {
      const attempt = memory.attempt(request);
      if (attempt === asked) return refused(UNRESOLVED);
      asked = attempt;
      const own = await keys.begin(request, attempt);
      const obstacle = own ?? (await keys.beginKey(request, attempt, memory.openTries(request) > 0));
      if (!obstacle) return undefined;
      // The conflict belongs to another execution. This execution did not begin the write.
      if (!own) keys.settle(request, 'refused');
      if (typeof obstacle === 'object') return refused(obstacle);
      let known = memory.witnessed(request, obstacle);
      const seen = known ? undefined : await lostAnswers.earlier(request, known, memory.sentAt(request));
      if (seen?.ok) return seen;
      if (seen) known = memory.reopen?.(request);
      if (known) {
        earlier.set(request, known);
        return standing(request, known);
      }
      // A person released the write, so the conflict in the database may be about the released attempt.
    } catch {
      return refused(NOT_RECORDED);
    }
}

/** Checks the other witnesses in their order. */
async function firstVerdict(attempt: WriteAttempt): Promise<Verdict> {
  for (const witness of WITNESSES.slice(1)) {
    const verdict = await witness.begin(attempt);
    if (verdict) return verdict;
  }
  return undefined;
}

/**
 * Records the write in the execution's memory and sends it. A write that was not applied is removed from the memory.
 */
async function leave({ shared, request, body, contents }: WriteAttempt): Promise<Answer> {
  const { lostAnswers, memory, gate } = shared;
  await gate.waitUntilUnblocked();
  // Nothing may happen between the check of the memory and the sending.
  const over = memory.sending(request);
  if (over) return refused(over);
  lostAnswers.leaves(request);
  const sent = body ? { ...request, values: { ...request.values, body } } : request;
  const answer = await sendOnce(shared, sent, contents);
  if (!answer.ok && answer.failure.outcome !== 'unknown') memory.notApplied(request);
  return answer;
}

/** Sends a request to the service once. The response adjusts the pace of the run. */
export async function sendOnce(
  { context, account, gate, options: { timeoutMs } }: SharedRun,
  {
    operation,
    method,
    path,
    family,
    effect,
    values,
  }: Pick<PlannedRequest, 'operation' | 'method' | 'path' | 'family' | 'effect' | 'values'>,
  contents?: FileContents,
): Promise<Answer> {
  const body = method === 'GET' || method === 'DELETE' ? undefined : values.body;
  const answer = await sendHttpRequest(context, account, {
    method,
    path,
    family,
    effect,
    query: values.query,
    body,
    contents,
    approvals: operation.approvals,
    timeoutMs,
  });
  adjustPace(gate, answer);
  return answer;
}

const refused = (failure: Failure): Answer => ({ ok: false, failure });

const standing = (request: PlannedRequest, known: Remembered): Answer =>
  refused(known.outcome === 'done' ? DONE : rememberedFailure(known, request));

/** This text is never shown, because the node returns the result of the earlier attempt. */
const DONE: Failure = {
  outcome: 'doneBefore',
  message: 'An earlier attempt of this execution completed this item',
  advice: '',
};

/**
 * Failure if the database contains an attempt that is neither in the memory nor resolved by a person. A second check
 * would have the same result.
 */
const UNRESOLVED: Failure = {
  outcome: 'unknown',
  message: 'An earlier attempt of this execution started this item, and its outcome is unknown',
  advice: 'Look up the record at the service before you send the item again.',
};

/**
 * Failure if the database can't record a write. A later attempt would not find the write. Without its database, n8n can't
 * store the result of the execution either.
 */
const NOT_RECORDED: Failure = {
  outcome: 'notSent',
  message: "n8n's database did not record this item, so the item was not sent",
  advice: 'Run this item again when the database of n8n works.',
};
