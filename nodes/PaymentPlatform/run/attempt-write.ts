import type { IDataObject } from 'n8n-workflow';

import { completeBody } from './decide-request';
import { CHANGED_FILE, readContents, type FileContents } from '../service/read-files';
import { GUARDS } from '../model/guards';
import { NotStarted } from '../service/gate';
import { rememberedFailure } from '../messages/earlier-attempts';
import { checkAnswer } from '../service/decode-response';
import { sendOnce } from '../service/send';
import { sharesOf } from '../model/operation';
import type { SharedRun } from './shared-run';
import type { PlannedRequest } from '../model/types';
import type { Remembered, WriteOutcome } from '../model/write-memory';
import { ofEach } from '../once/memory-entry';
import { KEY_DONE, type KeyState } from '../once/once-per-key';
import { UNDECIDED } from '../output/describe-previews';
import { refused, type Answer, type Failure } from '../model/failure';

/** Write request with its completed body and file contents. */
interface WriteAttempt {
  shared: SharedRun;
  request: PlannedRequest;
  /** Missing if the request's own body is complete. */
  body?: IDataObject;
  contents?: FileContents;
  isSent?: boolean;
}

type Verdict = Answer | undefined;

/** Check before the node sends a write. */
interface Witness {
  /** Returns the response or failure to use instead if the node must not send the write. */
  begin: (attempt: WriteAttempt) => Verdict | Promise<Verdict>;
  /** Learns the outcome of a write that `begin` allowed. */
  settle?: (attempt: WriteAttempt, outcome: WriteOutcome, answer?: Answer) => void;
  /** Like `settle`, but after the look-up of a write with an unknown outcome. */
  end?: Witness['settle'];
}

const database: Witness = {
  begin: async ({ shared, request }) => await beginInDatabase(shared, request),
  // Until the look-up ends, other attempts see the write under way.
  end: ({ shared: { keys }, request, isSent = false }, outcome) => keys.settle(request, outcome, isSent),
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
      if (completed.lacksRecord && shared.preview?.isDependent(request)) return refused(UNDECIDED);
      if ('failure' in completed) return refused(completed.failure);
      attempt.body = completed.body;
    }
    return undefined;
  },
};

/** The service may send an event about the request before its response. */
const submitted: Witness = {
  begin: async ({ shared, request }) =>
    await shared.submitted?.begin(request).then(
      () => undefined,
      () => refused(NOT_RECORDED),
    ),
  settle: ({ shared, request }, outcome) => {
    if (outcome === 'refused') shared.submitted?.recordRefused(request);
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

/** A person or the pace may delay the write for a long time. */
const turn: Witness = {
  begin: async ({ shared, request }) => {
    const isOwn = await waitForTurn(shared, request).catch((error: unknown) => {
      if (error instanceof NotStarted) throw error;
    });
    if (isOwn === undefined) return refused(NOT_RECORDED);
    return isOwn ? undefined : underWay(shared, request);
  },
};

const recentPayments: Witness = {
  begin: ({ shared, request }) => {
    const { recentPayments, keys } = shared;
    const isResumed = () => request.options.oncePerKey !== undefined && keys.oncePerKey.isResumed(request);
    const repeated = recentPayments?.begin(request, isResumed(), keys.earlierPayment(request));
    return repeated && refused(repeated);
  },
  settle: ({ shared, request }, outcome) => shared.recentPayments?.settle(request, outcome),
};

const executionLimit: Witness = {
  begin: ({ shared, request }) => refusedNow(shared, request, shared.executionLimit?.take(request)),
};

const executionMemory: Witness = {
  begin: ({ shared, request }) => refusedNow(shared, request, shared.memory.sending(request)),
  settle: ({ shared: { memory }, request }, outcome) => {
    if (outcome === 'refused') memory.notApplied(request);
  },
};

/**
 * All checks of a write, in order. The database comes first, so that a retry finds the write if n8n is killed later.
 * Nothing may run between the last three checks and the request, so these checks return no promise.
 */
const WITNESSES: readonly Witness[] = [
  database,
  serviceRecords,
  content,
  submitted,
  dayLimit,
  turn,
  recentPayments,
  executionLimit,
  executionMemory,
];

/** An identical concurrent tool call explains a refusal better. */
function refusedNow({ memory, earlier }: SharedRun, request: PlannedRequest, failure?: Failure): Verdict {
  const known = failure && memory.recallConcurrentCall?.(request);
  if (!known) return failure && refused(failure);
  earlier.set(request, known);
  return standing(request, known);
}

/**
 * Attempts a write once, and looks up the record if the outcome is unknown.
 * @param found records already read.
 */
export async function attemptWrite(shared: SharedRun, request: PlannedRequest, found?: IDataObject[]): Promise<Answer> {
  await shared.lostAnswers.begins(request, found);
  return await sendWrite(shared, request, async (answer) =>
    shared.earlier.has(request) ? answer : await shared.lostAnswers.settle(request, answer),
  );
}

/**
 * Sends a write once, unless a check refuses it. Reports the outcome to the checks that allowed it.
 * @param lookUp finds the record of a write whose outcome is unknown.
 */
export async function sendWrite(
  shared: SharedRun,
  request: PlannedRequest,
  lookUp?: (answer: Answer) => Promise<Answer>,
): Promise<Answer> {
  const attempt: WriteAttempt = { shared, request };
  const allowed: Witness[] = [];
  const tried = async () => {
    for (const witness of WITNESSES) {
      const verdict = witness.begin(attempt);
      const found = verdict instanceof Promise ? await verdict : verdict;
      if (found) return found;
      allowed.push(witness);
    }
    return await leave(attempt);
  };
  const tell = (step: 'settle' | 'end', outcome: WriteOutcome, answer?: Answer) => {
    for (const witness of allowed) witness[step]?.(attempt, outcome, answer);
  };
  const answer = await tried().catch((error: unknown) => {
    const outcome = error instanceof NotStarted ? 'refused' : 'unknown';
    tell('settle', outcome);
    tell('end', outcome);
    throw error;
  });
  const isUnsent = !answer.ok && answer.isUnsent === true;
  const outcome = answer.ok ? 'done' : isUnsent || answer.failure.outcome !== 'unknown' ? 'refused' : 'unknown';
  tell('settle', outcome, isUnsent ? undefined : answer);
  try {
    return outcome === 'unknown' && lookUp ? await lookUp(answer) : answer;
  } finally {
    tell('end', outcome);
  }
}

/**
 * Looks up the record of an earlier attempt, without other requests for the same object.
 * @returns the record, if found, or a failure if the node must not send the write.
 */
export async function findEarlierResult(
  { lostAnswers, gate, memory, recordMatcher }: SharedRun,
  request: PlannedRequest,
  standing: Remembered | undefined,
): Promise<Answer | undefined> {
  const sentAt = memory.sentAt(request);
  if (standing ? standing.outcome !== 'done' : sentAt !== undefined) recordMatcher.leaveOpen(request);
  const isAgain = !standing && memory.openAttempts(request) > 0;
  if (!isAgain && !lostAnswers.canFind(request, standing, sentAt)) return undefined;
  return await gate
    .run(request.objectKey, async () => await lostAnswers.earlier(request, standing, sentAt))
    .catch((error: unknown) =>
      standing || error instanceof NotStarted ? undefined : { ok: false, failure: NOT_LOOKED_UP },
    );
}

/** If the look-up fails, the node must not send another attempt, even if a person approved it. */
const NOT_LOOKED_UP: Failure = {
  outcome: 'unknown',
  message: 'The node could not look up the earlier attempt',
  advice: '',
};

/**
 * Returns an earlier attempt's response to a write that the node now refuses.
 * @throws if n8n's database fails, so that the node can't tell whether an earlier attempt sent the write.
 */
export async function findEarlierAttempt(shared: SharedRun, request: PlannedRequest): Promise<Verdict> {
  const { keys, memory, earlier, lostAnswers } = shared;
  const obstacle = await keys.earlier(request, memory.attempt(request));
  const known = obstacle && memory.addEvidence(request, obstacle);
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
 * Records a write and its deduplication key in n8n's database. If a person approved another attempt, first looks up the
 * earlier one.
 */
export async function recordWrite(shared: Recording, request: PlannedRequest): Promise<Verdict> {
  const { keys, memory, earlier, lostAnswers } = shared;
  let asked: string | undefined;
  for (;;)
    try {
      const attempt = memory.attempt(request);
      if (attempt === asked) return refused(UNRESOLVED);
      asked = attempt;
      const obstacle = await keys.begin(request, attempt);
      if (!obstacle) return await recordKey(shared, request, attempt);
      let known = memory.addEvidence(request, obstacle);
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
      keys.settle(request, 'refused');
      return refused(NOT_RECORDED);
    }
}

type Recording = Pick<SharedRun, 'keys' | 'memory' | 'earlier' | 'lostAnswers'>;

/** Records the item's key of Once per Key. If the key isn't free, the node sends nothing for the item. */
async function recordKey(shared: Recording, request: PlannedRequest, attempt: string): Promise<Verdict> {
  const { keys, lostAnswers } = shared;
  if (request.options.oncePerKey === undefined) return undefined;
  let found = await keys.oncePerKey.begin(request, attempt);
  let answer: Verdict;
  if (found && 'state' in found && found.state === 'unknown') {
    answer = await lostAnswers.ofKey(request, found.isApproved);
    if (answer === undefined) found = await found.resume();
  }
  if (!found) return undefined;
  keys.settle(request, 'refused');
  if (answer?.ok) return answer;
  return 'state' in found ? await answerOfKey(shared, request, found) : refused(found);
}

async function answerOfKey(
  { earlier, lostAnswers, memory }: Recording,
  request: PlannedRequest,
  found: KeyState,
): Promise<Answer> {
  if (found.state === 'done') return (await lostAnswers.doneWithKey(request)) ?? refused(KEY_DONE);
  if (found.state === 'underWay') return underWay({ earlier }, request);
  const known: Remembered =
    found.state === 'applied'
      ? { outcome: 'done', records: ofEach(request, { confirmed_by_person: true }), byWord: true }
      : { outcome: 'unknown', evidence: 'keyBegun', code: found.code };
  // A retry may not find the record, so the item stays done.
  if (known.outcome === 'done') memory.done(request, known.records);
  earlier.set(request, known);
  return standing(request, known);
}

function underWay({ earlier }: Pick<Recording, 'earlier'>, request: PlannedRequest): Answer {
  const known: Remembered = { outcome: 'unknown', evidence: 'underWay' };
  earlier.set(request, known);
  return standing(request, known);
}

async function leave(attempt: WriteAttempt): Promise<Answer> {
  const { shared, request, body, contents } = attempt;
  const { preview } = shared;
  const sent = body ? { ...request, values: { ...request.values, body } } : request;
  if (preview) {
    preview.send(sent);
    return { ok: true, record: {} };
  }
  // The option decides each item before the run begins, so this never happens.
  if (request.options.previewOnly) return refused(ONLY_PREVIEW);
  shared.lostAnswers.leaves(request);
  attempt.isSent = true;
  const answer = await sendOnce(shared, sent, contents);
  return checkAnswer(request, answer, (id) => shared.recordMatcher.isOfOther(request, id));
}

/**
 * Waits until the write may leave.
 * @returns false if another process began another attempt during the wait.
 */
async function waitForTurn({ gate, keys }: SharedRun, request: PlannedRequest): Promise<boolean> {
  do if (!(await keys.renew(request))) return false;
  while (await gate.waitUntilUnblocked());
  return true;
}

const standing = (request: PlannedRequest, known: Remembered): Answer =>
  refused(known.outcome === 'done' ? DONE : rememberedFailure(known, request));

/** Users see the earlier attempt's response instead. */
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

const ONLY_PREVIEW: Failure = {
  outcome: 'notSent',
  message: `"${GUARDS.previewOnly}" is on, so the item was not sent`,
  advice: '',
};

/** A later attempt would not find a write without a database entry, so the node doesn't send it. */
const NOT_RECORDED: Failure = {
  outcome: 'notSent',
  message: "n8n's database did not record this item, so the item was not sent",
  advice: "Run this item again when n8n's database works.",
};
