import type { IDataObject } from 'n8n-workflow';

import { afterOpenTries, openButNotStarted, rememberedFailure } from '../messages/earlier-tries';
import { completeBody } from './complete-body';
import { describeFailure, scrubberOf } from '../messages/describe-failure';
import { fetchList } from '../service/fetch-list';
import { CHANGED_FILE, readContents } from '../service/read-files';
import { NotStarted } from '../service/gate';
import { adjustPace } from '../service/adjust-pace';
import { FOUND } from '../lookup/lost-answers';
import { noteBeforeSending } from '../lookup/note-before-sending';
import { formatRecord, typed } from '../output/format-record';
import type { Finished, Remembered, WriteMemory } from '../model/write-memory';
import { fallbackQuery, recordFilter } from '../service/filter-records';
import { findRecords, findRecordsOfWrite } from '../service/find-records';
import type { Done, RequestResult } from '../model/results';
import type { SharedRun } from './shared-run';
import { send } from '../service/send';
import { sendWithRetries } from '../service/send-with-retries';
import type { PlannedRequest, PartialFailure } from '../model/types';
import type { Answer, Failure } from '../model/failure';

type Applied = Extract<Answer, { ok: true }>;

/** Sends one request (for a list: its pages) through the gate. Never throws for what happens on the wire. */
export async function processRequest(shared: SharedRun, request: PlannedRequest): Promise<RequestResult> {
  const { items } = request;
  try {
    const isList = request.list !== undefined && request.effect === 'reads';
    return isList ? await processList(shared, request) : await processSingle(shared, request);
  } catch (error) {
    if (error instanceof NotStarted) return notStarted(shared.memory, request, error.reason);
    shared.recordMatcher.leaveOpen(request);
    // A mistake of our own after sending must not look like "not applied".
    const failure: Failure = { outcome: 'unknown', message: 'The answer could not be processed', advice: '' };
    return { items, kind: 'failed', failure: describeFailure(failure, request) };
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
    ? { items, kind: 'failed', failure: describeFailure(openButNotStarted(reason), request), remembered: true }
    : { items, kind: 'notStarted', reason };
}

async function processSingle(shared: SharedRun, request: PlannedRequest): Promise<RequestResult> {
  const memory = memoryFor(shared, request);
  const recalledBefore = memory?.recall(request);
  const seen = memory && (await findEarlierResult(shared, request, recalledBefore));
  if (seen?.ok) return reviewed(request, recordSuccess(shared, request, seen));
  const standing = seen ? memory.reopen?.(request) : recalledBefore;
  if (standing) return refuseForEarlierTry(shared, request, standing);

  const answer = await sendRequest(shared, request, request.values.query);
  const earlier = shared.earlier.get(request);
  if (earlier && !answer.ok) return refuseForEarlierTry(shared, request, earlier);
  return answer.ok
    ? reviewed(request, recordSuccess(shared, request, answer))
    : failed(shared, request, answer.failure);
}

/**
 * What an earlier try left at the service, looked for before anything is sent; its object is locked meanwhile.
 * @returns the record as the answer, or, for a write that a person had sent again, the failure that keeps it from being sent.
 */
export async function findEarlierResult(
  { lostAnswers, gate, memory, recordMatcher }: SharedRun,
  request: PlannedRequest,
  standing: Remembered | undefined,
): Promise<Answer | undefined> {
  const sentAt = memory.sentAt(request);
  if (standing ? standing.outcome !== 'done' : sentAt !== undefined) recordMatcher.leaveOpen(request);
  if (!lostAnswers.canFind(request, standing, sentAt)) return undefined;
  return await gate
    .run(request.objectKey, async () => await lostAnswers.earlier(request, standing, sentAt))
    .catch((error: unknown) =>
      standing || error instanceof NotStarted ? undefined : { ok: false, failure: NOT_LOOKED_UP },
    );
}

/** An error must not let a released write leave without a look. */
const NOT_LOOKED_UP: Failure = { outcome: 'unknown', message: 'The earlier try could not be looked up', advice: '' };

/** What a write came to: presented, and remembered. */
export function recordSuccess(shared: SharedRun, request: PlannedRequest, answer: Applied): Done {
  const memory = memoryFor(shared, request);
  const records = findRecordsOfWrite(request, answer);
  const scrubber = scrubberOf(request);
  const sighting = shared.lostAnswers.sighting(request);
  const { agreement, kind } = sighting ?? {};
  // Of a request of many items, what each of them gets.
  const masked = (request.perItem ?? [request.values]).flatMap((values) =>
    records.map((record) => ({
      ...formatRecord(request, record, values, sighting),
      ...(agreement !== undefined && { [FOUND]: agreement }),
    })),
  );
  const output = request.values.node.showAccountNumbers === true ? masked : scrubber.records(masked);
  const found = findPartialFailure(request, answer);
  // It is remembered too.
  const partialFailure = found && { ...found, failure: scrubber.failure(found.failure) };
  memory?.done(request, output, partialFailure);
  const openTries = memory?.openTries(request);
  shared.lostAnswers.own(request, records, openTries);
  if (agreement !== undefined) {
    shared.journal.found(request);
    shared.keys.applied(request);
  }
  const sighted = agreement !== undefined && {
    found: agreement,
    ...(kind !== 'lost' && { remembered: true }),
    ...(kind === 'existed' && { existed: true }),
  };
  return { records: output, ...(partialFailure && { partialFailure }), ...(openTries && { openTries }), ...sighted };
}

/** A call that was not sent or not applied, while an equal one was: what that one did is what a model has to know. */
export function failed(shared: SharedRun, request: PlannedRequest, failure: Failure): RequestResult {
  const { items } = request;
  const known = failure.outcome === 'unknown' ? undefined : memoryFor(shared, request)?.meanwhile?.(request);
  if (known?.outcome === 'done') return remembered(shared, request, known);
  const told = known ? rememberedFailure(known, request) : describeFailure(failure, request);
  return { items, kind: 'failed', failure: told, ...(known && { remembered: true }) };
}

/** What became of an item that an earlier try stands in the way of. */
export function refuseForEarlierTry(shared: SharedRun, request: PlannedRequest, known: Remembered): RequestResult {
  if (known.outcome === 'done') return remembered(shared, request, known);
  shared.recordMatcher.leaveOpen(request);
  const failure = scrubberOf(request).failure(shared.lostAnswers.told(request, rememberedFailure(known, request)));
  return { items: request.items, kind: 'failed', failure, remembered: true };
}

const remembered = (shared: SharedRun, request: PlannedRequest, known: Finished): RequestResult =>
  reviewed(request, recalled(shared, request, known));

/** What an earlier try did, or a person says that it did: its key is done, and its records are no other item's. */
export function recalled(shared: SharedRun, request: PlannedRequest, known: Finished): Done {
  const { records, partialFailure, openTries, withoutSecrets, byWord, byJournal } = known;
  if (byWord || byJournal) shared.keys.applied(request);
  shared.lostAnswers.own(request, records, openTries);
  // Also one of a time when records were put out as the service gave them.
  const output = records.map((record) => typed(request, record));
  return { records: output, partialFailure, openTries, withoutSecrets, byWord, byJournal, remembered: true };
}

/** What went wrong in a part of a write. An answer that can't be reviewed says of no part that it went wrong. */
function findPartialFailure(
  { operation: { partialFailure } }: PlannedRequest,
  answer: Applied,
): PartialFailure | undefined {
  try {
    return findRecords(answer)
      .map((record) => partialFailure?.find(record))
      .find((found) => found !== undefined);
  } catch {
    return undefined;
  }
}

/** What was made, or a failed item where a part of it went wrong and the person wants that to count as a failure. */
export function reviewed(request: PlannedRequest, done: Done): RequestResult {
  const { items, operation, values } = request;
  const { partialFailure, remembered: isRemembered } = done;
  const note = operation.notice?.(values);
  return partialFailure && operation.partialFailure?.fails(values)
    ? {
        items,
        kind: 'failed',
        failure: describeFailure(partialFailure.failure, request),
        ...(isRemembered && { remembered: true }),
      }
    : { items, kind: 'done', ...done, ...(note !== undefined && { note }) };
}

async function processList(shared: SharedRun, request: PlannedRequest): Promise<RequestResult> {
  const { list: declaration = { fields: [] }, values, items, limit } = request;
  const fetched = async (query: IDataObject) =>
    await fetchList(
      { ...declaration, isVerified: true },
      limit,
      async (page, count, ...how) => await sendRequest(shared, request, { ...query, count, page }, ...how),
      shared.options.maxParallelRequests,
      recordFilter(request),
    );
  const first = await fetched(values.query);
  const instead = 'ok' in first ? fallbackQuery(first, values.query, request) : undefined;
  const list = instead ? await fetched(instead) : first;
  if ('ok' in list) return { items, kind: 'failed', failure: describeFailure(list.failure, request) };
  return {
    items,
    kind: 'done',
    records: list.records.map((record) => formatRecord(request, record, values)),
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
async function sendRequest(
  shared: SharedRun,
  request: PlannedRequest,
  query: IDataObject,
  wanted = () => true,
  isOptional = false,
): Promise<Answer> {
  const { options: patience, gate, lostAnswers } = shared;
  const { effect, objectKey } = request;
  const ends = (last: Answer | undefined) => {
    lostAnswers.stands(request);
    return !isOptional && !fallbackQuery(last, query, request) && stopsRun(shared, request, last);
  };
  const answer = await sendWithRetries({ effect, patience, gate, objectKey, ends }, async () => {
    if (!wanted()) throw new NotStarted();
    await lostAnswers.begins(request);
    const last = await sendOnce(shared, request, query);
    adjustPace(gate, last);
    const earlier = shared.earlier.get(request);
    return earlier ? ((await lostAnswers.earlier(request, earlier)) ?? last) : await lostAnswers.settle(request, last);
  });
  return answer.ok ? answer : { ok: false, failure: stillOpen(shared, request, answer.failure) };
}

/** What became of a try before that is of unknown outcome is as open as it was. */
export function stillOpen(shared: SharedRun, request: PlannedRequest, failure: Failure): Failure {
  const memory = memoryFor(shared, request);
  const isUnknown = failure.outcome === 'unknown';
  if (isUnknown || memory?.sentAt(request) !== undefined) shared.recordMatcher.leaveOpen(request);
  else shared.recordMatcher.notApplied(request);
  return !isUnknown && (memory?.openTries(request) ?? 0) > 0 ? afterOpenTries(failure) : failure;
}

/** Whether nothing may start after this answer; `undefined` when sending threw. */
export function stopsRun({ goOn, earlier }: SharedRun, request: PlannedRequest, answer?: Answer): boolean {
  // What an earlier try left open is no failure of this one: the items after it are as they were.
  if (goOn || earlier.has(request)) return false;
  if (!answer?.ok) return true;
  const { partialFailure } = request.operation;
  return findPartialFailure(request, answer) !== undefined && partialFailure?.fails(request.values) === true;
}

/** Sends a request once, noted in the journal before, where it is a write: there an earlier try may stand in its way. */
export async function sendOnce(shared: SharedRun, request: PlannedRequest, query: IDataObject): Promise<Answer> {
  if (request.effect === 'reads') return await sendAndRemember(shared, request, query);
  const earlier = await noteBeforeSending(shared, request);
  if (earlier) return earlier;
  const { journal, keys, budget } = shared;
  const answer = await sendAndRemember(shared, request, query).catch((error: unknown) => {
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
async function sendAndRemember(shared: SharedRun, request: PlannedRequest, query: IDataObject): Promise<Answer> {
  const { context, account, options, gate, duplicates, lostAnswers } = shared;
  const { method, path, family, effect } = request;
  const there = await duplicates.findDuplicate(request);
  if (there) return 'failure' in there ? { ok: false, failure: there.failure } : lostAnswers.sighted(request, there);
  const contents = await readContents(context, request);
  if (contents === 'changed') return { ok: false, failure: CHANGED_FILE };
  const completed = await completeBody(shared, request);
  if ('failure' in completed) return { ok: false, failure: completed.failure };
  const body = method === 'GET' || method === 'DELETE' ? undefined : completed.body;
  const over = await shared.budget.leaves(request);
  if (over) return { ok: false, failure: over };
  await gate.waitUntilUnblocked();
  const memory = memoryFor(shared, request);
  const refused = memory?.sending(request);
  if (refused) return { ok: false, failure: refused };
  lostAnswers.leaves(request);
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
