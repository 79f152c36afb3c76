import type { IDataObject } from 'n8n-workflow';

import { afterOpenTries, openButNotStarted, rememberedFailure } from './earlier-tries';
import { completedBody } from './completion';
import { explained, scrubberOf } from './explained';
import { fetchList } from './fetch-list';
import { CHANGED_FILE, readContents } from './files';
import { NotStarted } from './gate';
import { adapt } from './pace';
import { FOUND } from './look-ups';
import { noted } from './noted';
import { presented, typed } from './presented';
import type { Finished, Remembered, WriteMemory } from './remembered';
import { askedOtherwise, keptRecords } from './kept-records';
import { recordsOf, recordsOfWrite } from './records-of';
import type { Done, RequestResult } from './results';
import type { SharedRun } from './shared-run';
import { send } from './send';
import { sendUntilItStands } from './tries';
import type { Answer, Failure, PlannedRequest, Remark } from './types';

type Applied = Extract<Answer, { ok: true }>;

/** Sends one request (for a list: its pages) through the gate. Never throws for what happens on the wire. */
export async function processRequest(shared: SharedRun, request: PlannedRequest): Promise<RequestResult> {
  const { items } = request;
  try {
    const isList = request.list !== undefined && request.effect === 'reads';
    return isList ? await processList(shared, request) : await processSingle(shared, request);
  } catch (error) {
    if (error instanceof NotStarted) return notStarted(shared.memory, request, error.reason);
    shared.claims.leaveOpen(request);
    // A mistake of our own after sending must not look like "not applied".
    const failure: Failure = { outcome: 'unknown', message: 'The answer could not be processed', advice: '' };
    return { items, kind: 'failed', failure: explained(failure, request) };
  }
}

/**
 * What is told of a request that did not start. One that a person had sent again may have been applied by the try before.
 * @param reason a sentence for a person, when it was not another item's failure.
 */
export function notStarted(memory: WriteMemory, request: PlannedRequest, reason?: string): RequestResult {
  const { items, effect } = request;
  const isOpen = effect !== 'reads' && memory.openTries(request) > 0;
  return isOpen
    ? { items, kind: 'failed', failure: explained(openButNotStarted(reason), request), remembered: true }
    : { items, kind: 'notStarted', reason };
}

async function processSingle(shared: SharedRun, request: PlannedRequest): Promise<RequestResult> {
  const memory = memoryFor(shared, request);
  const recalledBefore = memory?.recall(request);
  const seen = memory && (await seenBefore(shared, request, recalledBefore));
  if (seen?.ok) return reviewed(request, accepted(shared, request, seen));
  const standing = seen ? memory.reopen?.(request) : recalledBefore;
  if (standing) return stands(shared, request, standing);

  const answer = await sendWithRetries(shared, request, request.values.query);
  const earlier = shared.earlier.get(request);
  if (earlier && !answer.ok) return stands(shared, request, earlier);
  return answer.ok ? reviewed(request, accepted(shared, request, answer)) : failed(shared, request, answer.failure);
}

/**
 * What an earlier try left at the service, looked for before anything is sent; its object is locked meanwhile.
 * @returns the record as the answer, or, for a write that a person had sent again, the failure that keeps it from being sent.
 */
export async function seenBefore(
  { lookUps, gate, memory, claims }: SharedRun,
  request: PlannedRequest,
  standing: Remembered | undefined,
): Promise<Answer | undefined> {
  const sentAt = memory.sentAt(request);
  if (standing ? standing.outcome !== 'done' : sentAt !== undefined) claims.leaveOpen(request);
  if (!lookUps.canFind(request, standing, sentAt)) return undefined;
  return await gate
    .run(request.objectKey, async () => await lookUps.earlier(request, standing, sentAt))
    .catch((error: unknown) =>
      standing || error instanceof NotStarted ? undefined : { ok: false, failure: NOT_LOOKED_UP },
    );
}

/** An error must not let a released write leave without a look. */
const NOT_LOOKED_UP: Failure = { outcome: 'unknown', message: 'The earlier try could not be looked up', advice: '' };

/** What a write came to: presented, and remembered. */
export function accepted(shared: SharedRun, request: PlannedRequest, answer: Applied): Done {
  const memory = memoryFor(shared, request);
  const records = recordsOfWrite(request, answer);
  const scrubber = scrubberOf(request);
  const sighting = shared.lookUps.sighting(request);
  const { agreement, kind } = sighting ?? {};
  // Of a request of many items, what each of them gets.
  const masked = (request.perItem ?? [request.values]).flatMap((values) =>
    records.map((record) => ({
      ...presented(request, record, values, sighting),
      ...(agreement !== undefined && { [FOUND]: agreement }),
    })),
  );
  const output = request.values.node.showAccountNumbers === true ? masked : scrubber.records(masked);
  const found = remarkOn(request, answer);
  // It is remembered too.
  const remark = found && { ...found, failure: scrubber.failure(found.failure) };
  memory?.done(request, output, remark);
  const openTries = memory?.openTries(request);
  shared.lookUps.own(request, records, openTries);
  if (agreement !== undefined) {
    shared.journal.found(request);
    shared.keys.applied(request);
  }
  const sighted = agreement !== undefined && {
    found: agreement,
    ...(kind !== 'lost' && { remembered: true }),
    ...(kind === 'existed' && { existed: true }),
  };
  return { records: output, ...(remark && { remark }), ...(openTries && { openTries }), ...sighted };
}

/** A call that was not sent or not applied, while an equal one was: what that one did is what a model has to know. */
export function failed(shared: SharedRun, request: PlannedRequest, failure: Failure): RequestResult {
  const { items } = request;
  const known = failure.outcome === 'unknown' ? undefined : memoryFor(shared, request)?.meanwhile?.(request);
  if (known?.outcome === 'done') return remembered(shared, request, known);
  const told = known ? rememberedFailure(known, request) : explained(failure, request);
  return { items, kind: 'failed', failure: told, ...(known && { remembered: true }) };
}

/** What became of an item that an earlier try stands in the way of. */
export function stands(shared: SharedRun, request: PlannedRequest, known: Remembered): RequestResult {
  if (known.outcome === 'done') return remembered(shared, request, known);
  shared.claims.leaveOpen(request);
  const failure = scrubberOf(request).failure(shared.lookUps.told(request, rememberedFailure(known, request)));
  return { items: request.items, kind: 'failed', failure, remembered: true };
}

const remembered = (shared: SharedRun, request: PlannedRequest, known: Finished): RequestResult =>
  reviewed(request, recalled(shared, request, known));

/** What an earlier try did, or a person says that it did: its key is done, and its records are no other item's. */
export function recalled(shared: SharedRun, request: PlannedRequest, known: Finished): Done {
  const { records, remark, openTries, withoutSecrets, byWord, byJournal } = known;
  if (byWord || byJournal) shared.keys.applied(request);
  shared.lookUps.own(request, records, openTries);
  // Also one of a time when records were put out as the service gave them.
  const output = records.map((record) => typed(request, record));
  return { records: output, remark, openTries, withoutSecrets, byWord, byJournal, remembered: true };
}

/** What went wrong in a part of a write. An answer that can't be reviewed says of no part that it went wrong. */
function remarkOn({ operation: { review } }: PlannedRequest, answer: Applied): Remark | undefined {
  try {
    return recordsOf(answer)
      .map((record) => review?.find(record))
      .find((found) => found !== undefined);
  } catch {
    return undefined;
  }
}

/** What was made, or a failed item where a part of it went wrong and the person wants that to count as a failure. */
export function reviewed(request: PlannedRequest, done: Done): RequestResult {
  const { items, operation, values } = request;
  const { remark, remembered: isRemembered } = done;
  const note = operation.note?.(values);
  return remark && operation.review?.fails(values)
    ? { items, kind: 'failed', failure: explained(remark.failure, request), ...(isRemembered && { remembered: true }) }
    : { items, kind: 'done', ...done, ...(note !== undefined && { note }) };
}

async function processList(shared: SharedRun, request: PlannedRequest): Promise<RequestResult> {
  const { list: declaration = { fields: [] }, values, items, limit } = request;
  const fetched = async (query: IDataObject) =>
    await fetchList(
      { ...declaration, isVerified: true },
      limit,
      async (page, count, ...how) => await sendWithRetries(shared, request, { ...query, count, page }, ...how),
      shared.options.maxParallelRequests,
      keptRecords(request),
    );
  const first = await fetched(values.query);
  const instead = 'ok' in first ? askedOtherwise(first, values.query, request) : undefined;
  const list = instead ? await fetched(instead) : first;
  if ('ok' in list) return { items, kind: 'failed', failure: explained(list.failure, request) };
  return {
    items,
    kind: 'done',
    records: list.records.map((record) => presented(request, record, values)),
    note: list.note,
  };
}

/** Reads may be sent as often as one likes. */
const memoryFor = ({ memory }: SharedRun, { effect }: PlannedRequest) => (effect === 'reads' ? undefined : memory);

/**
 * Sends one request until it has an answer that stands, as often as its effect allows. With On Error set to Stop, a failure
 * closes the gate before anything else can start, unless the request is optional.
 * @param wanted asked when the request's turn comes: the other pages of a list that failed are not needed.
 */
async function sendWithRetries(
  shared: SharedRun,
  request: PlannedRequest,
  query: IDataObject,
  wanted = () => true,
  isOptional = false,
): Promise<Answer> {
  const { options: patience, gate, lookUps } = shared;
  const { effect, objectKey } = request;
  const ends = (last: Answer | undefined) => {
    lookUps.stands(request);
    return !isOptional && !askedOtherwise(last, query, request) && endsRun(shared, request, last);
  };
  const answer = await sendUntilItStands({ effect, patience, gate, objectKey, ends }, async () => {
    if (!wanted()) throw new NotStarted();
    await lookUps.begins(request);
    const last = await sendOnce(shared, request, query);
    adapt(gate, last);
    const earlier = shared.earlier.get(request);
    return earlier ? ((await lookUps.earlier(request, earlier)) ?? last) : await lookUps.settle(request, last);
  });
  return answer.ok ? answer : { ok: false, failure: stillOpen(shared, request, answer.failure) };
}

/** What became of a try before that is of unknown outcome is as open as it was. */
export function stillOpen(shared: SharedRun, request: PlannedRequest, failure: Failure): Failure {
  const memory = memoryFor(shared, request);
  const isUnknown = failure.outcome === 'unknown';
  if (isUnknown || memory?.sentAt(request) !== undefined) shared.claims.leaveOpen(request);
  else shared.claims.notApplied(request);
  return !isUnknown && (memory?.openTries(request) ?? 0) > 0 ? afterOpenTries(failure) : failure;
}

/** Whether nothing may start after this answer; `undefined` when sending threw. */
export function endsRun({ goOn, earlier }: SharedRun, request: PlannedRequest, answer?: Answer): boolean {
  // What an earlier try left open is no failure of this one: the items after it are as they were.
  if (goOn || earlier.has(request)) return false;
  if (!answer?.ok) return true;
  const { review } = request.operation;
  return remarkOn(request, answer) !== undefined && review?.fails(request.values) === true;
}

/** Sends a request once, noted in the journal before, where it is a write: there an earlier try may stand in its way. */
export async function sendOnce(shared: SharedRun, request: PlannedRequest, query: IDataObject): Promise<Answer> {
  if (request.effect === 'reads') return await sendNoted(shared, request, query);
  const earlier = await noted(shared, request);
  if (earlier) return earlier;
  const { journal, keys, budget } = shared;
  const answer = await sendNoted(shared, request, query).catch((error: unknown) => {
    const isRefused = error instanceof NotStarted;
    for (const kept of [journal, keys]) kept.settle(request, isRefused ? 'refused' : 'unknown');
    if (isRefused) budget.settle(request);
    throw error;
  });
  budget.settle(request, answer);
  const became = answer.ok ? 'done' : answer.failure.outcome === 'unknown' ? 'unknown' : 'refused';
  for (const kept of [journal, keys]) kept.settle(request, became);
  return answer;
}

/** Sends a request, entered in the memory before; a failure that is no unknown one is taken out of it. */
async function sendNoted(shared: SharedRun, request: PlannedRequest, query: IDataObject): Promise<Answer> {
  const { context, account, options, gate, existing, lookUps } = shared;
  const { method, path, family, effect } = request;
  const there = await existing.of(request);
  if (there) return 'failure' in there ? { ok: false, failure: there.failure } : lookUps.sighted(request, there);
  const contents = await readContents(context, request);
  if (contents === 'changed') return { ok: false, failure: CHANGED_FILE };
  const completed = await completedBody(shared, request);
  if ('failure' in completed) return { ok: false, failure: completed.failure };
  const body = method === 'GET' || method === 'DELETE' ? undefined : completed.body;
  const over = await shared.budget.leaves(request);
  if (over) return { ok: false, failure: over };
  await gate.freeToSend();
  const memory = memoryFor(shared, request);
  const refused = memory?.sending(request);
  if (refused) return { ok: false, failure: refused };
  lookUps.leaves(request);
  const answer = await send(context, account, {
    method,
    path,
    family,
    effect,
    query,
    body,
    contents,
    timeoutMs: options.timeoutMs,
  });
  if (!answer.ok && answer.failure.outcome !== 'unknown') memory?.notApplied(request);
  return answer;
}
