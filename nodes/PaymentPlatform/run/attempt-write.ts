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

/** Attempt of a write, with the parts that the node reads immediately before sending. */
interface WriteAttempt {
  shared: SharedRun;
  request: PlannedRequest;
  /** Completed body. Missing if the request's own body is complete. */
  body?: IDataObject;
  contents?: FileContents;
}

/** `undefined` if the node may send the write, the record that completes the write, or the reason not to send it. */
type Verdict = Answer | undefined;

/** Check that runs before the node sends a write. `begin` returns a verdict if the node must not send the write. */
interface Witness {
  begin: (attempt: WriteAttempt) => Promise<Verdict>;
  /** Records the outcome of the write. The response is missing if sending threw an error. */
  settle?: (attempt: WriteAttempt, outcome: WriteOutcome, answer?: Answer) => void;
}

/** Checks whether an earlier attempt began the write, or whether an execution of the workflow used its key. */
const database: Witness = {
  begin: async ({ shared, request }) => await beginInDatabase(shared, request),
  settle: ({ shared: { keys }, request }, outcome) => keys.settle(request, outcome),
};

/** Checks for a matching record at the service. */
const serviceRecords: Witness = {
  begin: async ({ shared: { duplicates, lostAnswers }, request }) => {
    const there = await duplicates?.findDuplicate(request);
    if (!there) return undefined;
    return 'failure' in there ? refused(there.failure) : lostAnswers.sighted(request, there);
  },
};

/** Checks that the files of the request have not changed, and completes the body. */
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

/** Checks that the amount stays within the daily limit. */
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
 * Checks before a write, in order. The database comes first, so that n8n's database contains the write even if n8n is
 * killed later. The node checks the execution's memory before these checks (process-write.ts), and again immediately
 * before it sends the write (`leave`).
 */
const WITNESSES: readonly Witness[] = [database, serviceRecords, content, dayLimit];

/**
 * Attempts a write once, and looks up the record if the outcome is unknown.
 * @param found records that a step has already read.
 */
export async function attemptWrite(shared: SharedRun, request: PlannedRequest, found?: IDataObject[]): Promise<Answer> {
  await shared.lostAnswers.begins(request, found);
  const answer = await sendWrite(shared, request);
  return shared.earlier.has(request) ? answer : await shared.lostAnswers.settle(request, answer);
}

/** Sends a write once, unless a check refuses the write. Reports the outcome to all checks. */
export async function sendWrite(shared: SharedRun, request: PlannedRequest): Promise<Answer> {
  const attempt: WriteAttempt = { shared, request };
  // If the database refuses the write, no other check has recorded the write.
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
 * Returns the result of an earlier attempt for a write that a step refuses now. The earlier attempt may have caused the
 * current state of the record.
 */
export async function findEarlierAttempt(shared: SharedRun, request: PlannedRequest): Promise<Verdict> {
  const { keys, memory, earlier, lostAnswers } = shared;
  const obstacle = await keys.earlier(request, memory.attempt(request)).catch(() => undefined);
  const known = obstacle && memory.witnessed(request, obstacle);
  if (!known) return undefined;
  earlier.set(request, known);
  return (await lostAnswers.earlier(request, known)) ?? standing(request, known);
}

/** Records each share of a shared request. If the node must not send one share, it sends no share. */
async function beginInDatabase(shared: SharedRun, request: PlannedRequest): Promise<Verdict> {
  const { earlier, keys, lostAnswers } = shared;
  const shares = sharesOf(request);
  const verdicts = await Promise.all(shares.map(async (share) => await recordWrite(shared, share)));
  const verdict = verdicts.find((one) => one !== undefined);
  if (!verdict) return undefined;
  for (const [index, share] of shares.entries()) {
    const known = earlier.get(share);
    if (known) earlier.set(request, known);
    // The node sends the remaining shares with another request.
    if (!verdicts[index]) keys.settle(share, 'refused');
  }
  const known = earlier.get(request);
  return (known && (await lostAnswers.earlier(request, known))) ?? verdict;
}

/**
 * Records a write and its key (option Once per Key) in n8n's database. If a person approved another attempt, the node
 * first looks up the earlier attempt.
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
      // The conflict comes from another execution. This execution did not begin the write.
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
      // A person approved another attempt. Checks again, because the conflict may belong to the earlier attempt.
    } catch {
      return refused(NOT_RECORDED);
    }
}

/** Runs all checks except the database, in order. */
async function firstVerdict(attempt: WriteAttempt): Promise<Verdict> {
  for (const witness of WITNESSES.slice(1)) {
    const verdict = await witness.begin(attempt);
    if (verdict) return verdict;
  }
  return undefined;
}

/** Stores the write in the execution's memory and sends it. Removes a write that was not applied from the memory. */
async function leave({ shared, request, body, contents }: WriteAttempt): Promise<Answer> {
  const { lostAnswers, memory, gate } = shared;
  await gate.waitUntilUnblocked();
  // Nothing may run between the check of the memory and the sending.
  const over = memory.sending(request);
  if (over) return refused(over);
  lostAnswers.leaves(request);
  const sent = body ? { ...request, values: { ...request.values, body } } : request;
  const answer = await sendOnce(shared, sent, contents);
  if (!answer.ok && answer.failure.outcome !== 'unknown') memory.notApplied(request);
  return answer;
}

/** Sends a request once, and adjusts the pace of the run to the response. */
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

/** Users don't see this failure, because the node returns the result of the earlier attempt. */
const DONE: Failure = {
  outcome: 'doneBefore',
  message: 'An earlier attempt of this execution completed this item',
  advice: '',
};

/** Failure if only n8n's database contains an earlier attempt, and no person has resolved the attempt. */
const UNRESOLVED: Failure = {
  outcome: 'unknown',
  message: 'An earlier attempt of this execution started this item, and its outcome is unknown',
  advice: 'Look up the record at the service before you send the item again.',
};

/** Failure if n8n's database can't record a write, because a later attempt would not find the write. */
const NOT_RECORDED: Failure = {
  outcome: 'notSent',
  message: "n8n's database did not record this item, so the item was not sent",
  advice: 'Run this item again when the database of n8n works.',
};
