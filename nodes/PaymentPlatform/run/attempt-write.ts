import type { IDataObject } from 'n8n-workflow';

import { completeBody } from './decide-request';
import { adjustPace } from '../service/send-with-retries';
import { CHANGED_FILE, readContents, type FileContents } from '../service/read-files';
import { NotStarted } from '../service/gate';
import { noteBeforeSending } from '../lookup/note-before-sending';
import { sendHttpRequest } from '../service/send';
import type { SharedRun } from './shared-run';
import type { PlannedRequest } from '../model/types';
import type { WriteOutcome } from '../model/write-memory';
import type { Answer, Failure } from '../model/failure';

/** One try of a write, and the parts of it that the node reads right before the write leaves. */
interface WriteAttempt {
  shared: SharedRun;
  request: PlannedRequest;
  body?: IDataObject;
  contents?: FileContents;
}

/** Knows of writes, and records each write before it leaves. */
interface Witness {
  /** Records the write. Returns the answer in place of the service's answer if the write must not leave. */
  begin: (attempt: WriteAttempt) => Promise<Answer | undefined>;
  /** Records the outcome of the write. The answer is missing if sending threw an error. */
  settle?: (attempt: WriteAttempt, outcome: WriteOutcome, answer?: Answer) => void;
}

/** Proves that an earlier try of the execution began the write, or that an execution of the workflow used its key. */
const database: Witness = {
  begin: async ({ shared, request }) => await noteBeforeSending(shared, request),
  settle: ({ shared: { keys }, request }, outcome) => keys.settle(request, outcome),
};

/** Proves that the service has an equal record already, by whoever made it. */
const serviceRecords: Witness = {
  begin: async ({ shared: { duplicates, lostAnswers }, request }) => {
    const there = await duplicates.findDuplicate(request);
    if (!there) return undefined;
    return 'failure' in there ? refused(there.failure) : lostAnswers.sighted(request, there);
  },
};

/** Proves that the files of the request did not change since they were checked, and that its body is complete. */
const content: Witness = {
  begin: async (attempt) => {
    const { shared, request } = attempt;
    const contents = await readContents(shared.context, request);
    if (contents === 'changed') return refused(CHANGED_FILE);
    const completed = await completeBody(shared, request);
    if ('failure' in completed) return refused(completed.failure);
    Object.assign(attempt, { contents, body: completed.body });
    return undefined;
  },
};

/** Proves that the payments of the day leave room for the amount, by the service's report and what this process sends. */
const dayBudget: Witness = {
  begin: async ({ shared, request }) => {
    const over = await shared.budget.leaves(request);
    return over && refused(over);
  },
  settle: ({ shared, request }, outcome, answer) => {
    if (answer !== undefined || outcome === 'refused') shared.budget.settle(request, answer);
  },
};

/**
 * The witnesses of a write, in their order. The database comes first, so that a kill at any later moment leaves a note. The
 * execution's memory is asked before all of them (see process-write.ts), and once more in the moment in which the write leaves:
 * it proves what this execution has done, and that the total of the execution leaves room for the amount.
 */
const WITNESSES: readonly Witness[] = [database, serviceRecords, content, dayBudget];

/**
 * Tries a write once, and looks at the service if its outcome is unknown.
 * @param found what a step read before it decided for the request.
 */
export async function attemptWrite(shared: SharedRun, request: PlannedRequest, found?: IDataObject[]): Promise<Answer> {
  const { lostAnswers, gate, earlier } = shared;
  await lostAnswers.begins(request, found);
  const answer = await sendWrite(shared, request);
  adjustPace(gate, answer);
  const known = earlier.get(request);
  return known ? ((await lostAnswers.earlier(request, known)) ?? answer) : await lostAnswers.settle(request, answer);
}

/** Sends a write once, unless a witness keeps it from leaving. All witnesses get the outcome. */
export async function sendWrite(shared: SharedRun, request: PlannedRequest): Promise<Answer> {
  const attempt: WriteAttempt = { shared, request };
  // If the database stops the write, no witness has recorded it.
  const noted = await database.begin(attempt);
  if (noted) return noted;
  const settle = (outcome: WriteOutcome, answer?: Answer) => {
    for (const witness of WITNESSES) witness.settle?.(attempt, outcome, answer);
  };
  const tried = async () => (await firstObstacle(attempt)) ?? (await leave(attempt));
  const answer = await tried().catch((error: unknown) => {
    settle(error instanceof NotStarted ? 'refused' : 'unknown');
    throw error;
  });
  settle(answer.ok ? 'done' : answer.failure.outcome === 'unknown' ? 'unknown' : 'refused', answer);
  return answer;
}

async function firstObstacle(attempt: WriteAttempt): Promise<Answer | undefined> {
  for (const witness of WITNESSES.slice(1)) {
    const obstacle = await witness.begin(attempt);
    if (obstacle) return obstacle;
  }
  return undefined;
}

/** Enters the write in the execution's memory and sends it. The memory forgets a write that was not applied. */
async function leave({ shared, request, body, contents }: WriteAttempt): Promise<Answer> {
  const { lostAnswers, memory, gate } = shared;
  await gate.waitUntilUnblocked();
  // Nothing may happen between the check of the memory and the sending.
  const over = memory.sending(request);
  if (over) return refused(over);
  lostAnswers.leaves(request);
  const answer = await sendOnce(shared, { ...request, values: { ...request.values, body: body ?? {} } }, contents);
  if (!answer.ok && answer.failure.outcome !== 'unknown') memory.notApplied(request);
  return answer;
}

/** Sends a request to the service, once. */
export async function sendOnce(
  { context, account, options: { timeoutMs } }: SharedRun,
  { method, path, family, effect, values }: Pick<PlannedRequest, 'method' | 'path' | 'family' | 'effect' | 'values'>,
  contents?: FileContents,
): Promise<Answer> {
  const body = method === 'GET' || method === 'DELETE' ? undefined : values.body;
  return await sendHttpRequest(context, account, {
    method,
    path,
    family,
    effect,
    query: values.query,
    body,
    contents,
    timeoutMs,
  });
}

const refused = (failure: Failure): Answer => ({ ok: false, failure });
