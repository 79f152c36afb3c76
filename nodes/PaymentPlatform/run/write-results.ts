import { afterOpenTries, openButNotStarted, rememberedFailure } from '../messages/earlier-tries';
import { describeFailure, scrubberOf } from '../messages/describe-failure';
import { FOUND } from '../lookup/lost-answers';
import { formatRecord, typed } from '../output/format-record';
import type { Finished, Remembered, WriteMemory } from '../model/write-memory';
import { findRecords, findRecordsOfWrite } from '../service/find-records';
import type { Done, RequestResult } from '../model/results';
import type { SharedRun } from './shared-run';
import type { PlannedRequest, PartialFailure } from '../model/types';
import type { Answer, Failure } from '../model/failure';

type Applied = Extract<Answer, { ok: true }>;

/** After sending, a mistake of the node must not look like "not applied". */
export const OWN_MISTAKE: Failure = { outcome: 'unknown', message: 'The answer could not be processed', advice: '' };

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

/** Reads may be sent as often as one likes. */
export const memoryFor = ({ memory }: SharedRun, { effect }: PlannedRequest) =>
  effect === 'reads' ? undefined : memory;
