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
import { refused, type Answer, type Failure } from '../model/failure';

/** Write request with its completed body and file contents. */
interface WriteAttempt {
  shared: SharedRun;
  request: PlannedRequest;
  /** Missing if the request's own body is complete. */
  body?: IDataObject;
  contents?: FileContents;
}

type Verdict = Answer | undefined;

/**
 * Check that runs before the node sends a write. If the node must not send it, `begin` returns the response or failure
 * to use instead.
 */
interface Witness {
  begin: (attempt: WriteAttempt) => Promise<Verdict>;
  settle?: (attempt: WriteAttempt, outcome: WriteOutcome, answer?: Answer) => void;
}

const database: Witness = {
  begin: async ({ shared, request }) => await beginInDatabase(shared, request),
  settle: ({ shared: { keys }, request }, outcome) => keys.settle(request, outcome),
};

const serviceRecords: Witness = {
  begin: async ({ shared: { duplicates, lostAnswers }, request }) => {
    const there = await duplicates?.findDuplicate(request);
    if (!there) return undefined;
    return 'failure' in there ? refused(there.failure) : lostAnswers.sighted(request, there);
  },
};

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

const dayLimit: Witness = {
  begin: async ({ shared, request }) => {
    const over = await shared.dayLimit?.leaves(request);
    return over && refused(over);
  },
  settle: ({ shared, request }, outcome, answer) => {
    if (answer !== undefined || outcome === 'refused') shared.dayLimit?.settle(request, answer);
  },
};

/** Checks the database first. This check also records the write, so that a retry finds it if n8n is killed later. */
const WITNESSES: readonly Witness[] = [database, serviceRecords, content, dayLimit];

/**
 * Attempts a write once, and looks up the record if the outcome is unknown.
 * @param found records that the node has already read.
 */
export async function attemptWrite(shared: SharedRun, request: PlannedRequest, found?: IDataObject[]): Promise<Answer> {
  await shared.lostAnswers.begins(request, found);
  const answer = await sendWrite(shared, request);
  return shared.earlier.has(request) ? answer : await shared.lostAnswers.settle(request, answer);
}

/** Sends a write once, unless a check refuses it. Reports the outcome to all checks. */
export async function sendWrite(shared: SharedRun, request: PlannedRequest): Promise<Answer> {
  const attempt: WriteAttempt = { shared, request };
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
  if (!answer.ok && answer.isUnsent) settle('refused');
  else settle(answer.ok ? 'done' : answer.failure.outcome === 'unknown' ? 'unknown' : 'refused', answer);
  return answer;
}

/** Returns the response of an earlier attempt at a write that the node now refuses. */
export async function findEarlierAttempt(shared: SharedRun, request: PlannedRequest): Promise<Verdict> {
  const { keys, memory, earlier, lostAnswers } = shared;
  const obstacle = await keys.earlier(request, memory.attempt(request)).catch(() => undefined);
  const known = obstacle && memory.witnessed(request, obstacle);
  if (!known) return undefined;
  earlier.set(request, known);
  return (await lostAnswers.earlier(request, known)) ?? standing(request, known);
}

async function beginInDatabase(shared: SharedRun, request: PlannedRequest): Promise<Verdict> {
  const { earlier, keys, lostAnswers } = shared;
  const shares = sharesOf(request);
  const verdicts = await Promise.all(shares.map(async (share) => await recordWrite(shared, share)));
  const verdict = verdicts.find((one) => one !== undefined);
  if (!verdict) return undefined;
  for (const [index, share] of shares.entries()) {
    const known = earlier.get(share);
    if (known) earlier.set(request, known);
    if (!verdicts[index]) keys.settle(share, 'refused');
  }
  const known = earlier.get(request);
  return (known && (await lostAnswers.earlier(request, known))) ?? verdict;
}

/**
 * Records a write and its deduplication key in n8n's database. If a person approved another attempt, looks up the
 * earlier attempt first.
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
      const obstacle = own ?? (await keys.beginKey(request, attempt, memory));
      if (!obstacle) return undefined;
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
      // A person approved another attempt. The loop checks again, because the conflict may belong to the earlier
      // attempt.
    } catch {
      return refused(NOT_RECORDED);
    }
}

async function firstVerdict(attempt: WriteAttempt): Promise<Verdict> {
  for (const witness of WITNESSES.slice(1)) {
    const verdict = await witness.begin(attempt);
    if (verdict) return verdict;
  }
  return undefined;
}

async function leave({ shared, request, body, contents }: WriteAttempt): Promise<Answer> {
  const { earlier, lostAnswers, memory, gate } = shared;
  await gate.waitUntilUnblocked();
  // Records the write. Nothing may run between this call and the request.
  const over = memory.sending(request);
  if (over) {
    const known = memory.recallConcurrentCall?.(request);
    if (!known) return refused(over);
    earlier.set(request, known);
    return standing(request, known);
  }
  lostAnswers.leaves(request);
  const sent = body ? { ...request, values: { ...request.values, body } } : request;
  const answer = await sendOnce(shared, sent, contents);
  if (!answer.ok && answer.failure.outcome !== 'unknown') memory.notApplied(request);
  return answer;
}

/** Sends a request once, and adapts the pace of later requests to the response. */
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

const standing = (request: PlannedRequest, known: Remembered): Answer =>
  refused(known.outcome === 'done' ? DONE : rememberedFailure(known, request));

/** Users don't see this failure, because the node returns the earlier attempt's response. */
const DONE: Failure = {
  outcome: 'doneBefore',
  message: 'An earlier attempt in this execution completed this item',
  advice: '',
};

const UNRESOLVED: Failure = {
  outcome: 'unknown',
  message: 'An earlier attempt in this execution started this item, and its outcome is unknown',
  advice: 'Look up the record at the service before you send the item again.',
};

/** Without a database entry, a later attempt would not find the write, so the node doesn't send it. */
const NOT_RECORDED: Failure = {
  outcome: 'notSent',
  message: "n8n's database did not record this item, so the item was not sent",
  advice: "Run this item again when n8n's database works.",
};
