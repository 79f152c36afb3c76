import type { IDataObject } from 'n8n-workflow';

import { afterOpenAttempts, openButNotStarted, rememberedFailure } from '../messages/earlier-attempts';
import { describeFailure } from '../messages/describe-failure';
import { scrubberOf, secretOptionOf } from '../messages/scrubber';
import { FOUND } from '../lookup/lost-answers';
import { formatRecord, typeUnlessRaw } from '../output/format-record';
import { WHAT_HAPPENED } from '../messages/what-happened';
import type { Finished, Remembered, WriteMemory } from '../model/write-memory';
import { keepable } from '../once/memory-entry';
import { findPartialFailure, findRecordsOfWrite } from '../service/decode-response';
import type { Done, RequestResult } from '../model/results';
import { only } from '../shared/objects';
import type { SharedRun } from './shared-run';
import type { PlannedRequest } from '../model/types';
import type { Answer, Failure } from '../model/failure';

type Applied = Extract<Answer, { ok: true }>;

/** After an internal error, the outcome is unknown, because the node may have sent the request. */
export const OWN_MISTAKE: Failure = {
  outcome: 'unknown',
  message: 'The node could not process the response',
  advice: '',
};

/**
 * If a person approved another attempt, the service may still have applied the earlier attempt.
 * @param reason sentence that says why the run stopped. Missing if another item failed or a user canceled the run.
 */
export function notStarted(memory: WriteMemory, request: PlannedRequest, reason?: string): RequestResult {
  const { items, effect } = request;
  const isOpen = effect !== 'reads' && memory.openAttempts(request) > 0;
  return isOpen
    ? { items, kind: 'failed', failure: describeFailure(openButNotStarted(reason), request), remembered: true }
    : { items, kind: 'notStarted', reason };
}

/** Formats the response, and stores the output for later attempts. */
export function recordSuccess(shared: SharedRun, request: PlannedRequest, answer: Applied): Done {
  const memory = memoryFor(shared, request);
  const records = findRecordsOfWrite(request, answer);
  const sighting = shared.lostAnswers.sighting(request);
  const { agreement, kind } = sighting ?? {};
  const masked = (request.perItem ?? [request.values]).flatMap((values) =>
    records.map((record) => ({
      ...formatRecord(request, record, values, sighting),
      ...(agreement !== undefined && { [FOUND]: agreement }),
    })),
  );
  const scrubber = scrubberOf(request);
  const output = request.values.node.showAccountNumbers === true ? masked : scrubber.records(masked);
  const found = findPartialFailure(request, answer);
  // Masks secrets, because the node stores the partial failure.
  const partialFailure = found && { ...found, failure: scrubber.failure(found.failure) };
  const withoutSecrets = omittedSecrets(request, records);
  memory?.done(request, output, partialFailure, withoutSecrets);
  shared.recentPayments?.recordMade(request, partialFailure, output);
  shared.submitted?.recordMade(request, records);
  const openAttempts = memory?.openAttempts(request);
  shared.recordMatcher.own(request, records, openAttempts);
  if (agreement !== undefined) shared.keys.recordApplied(request);
  const sighted = agreement !== undefined && {
    found: agreement,
    ...(kind !== 'lost' && { remembered: true }),
    ...(kind === 'existed' && { existed: true }),
  };
  return {
    records: output,
    ...(partialFailure && { partialFailure }),
    ...(openAttempts && { openAttempts }),
    ...(withoutSecrets.length > 0 && { withoutSecrets }),
    ...sighted,
  };
}

/** Returns the names of omitted secrets that an option of the operation would show. */
export function omittedSecrets({ operation, values }: PlannedRequest, records: IDataObject[]): string[] {
  const option = secretOptionOf(operation);
  if (!option || values.node[option.name] === true) return [];
  const { left: given } = keepable([values.body]);
  return keepable(records).left.filter((name) => !given.includes(name));
}

/**
 * If an identical simultaneous tool call succeeded, returns the result of that call instead.
 * @param whole describes the whole item, because the failed request can be one of its writes.
 */
export function failed(
  shared: SharedRun,
  request: PlannedRequest,
  failure: Failure,
  whole = (one: Failure): Failure => one,
): RequestResult {
  const { items } = request;
  const known = failure.outcome === 'unknown' ? undefined : memoryFor(shared, request)?.recallConcurrentCall?.(request);
  if (known?.outcome === 'done') return remembered(shared, request, known);
  const told = known ? rememberedFailure(known, request) : describeFailure(failure, request);
  return { items, kind: 'failed', failure: whole(told), ...(known && { remembered: true }) };
}

export function refuseForEarlierAttempt(shared: SharedRun, request: PlannedRequest, known: Remembered): RequestResult {
  if (known.outcome === 'done') return remembered(shared, request, known);
  shared.recordMatcher.leaveOpen(request);
  const failure = scrubberOf(request).failure(shared.lostAnswers.told(request, rememberedFailure(known, request)));
  return { items: request.items, kind: 'failed', failure, remembered: true };
}

const remembered = (shared: SharedRun, request: PlannedRequest, known: Finished): RequestResult =>
  reviewed(request, recalled(shared, request, known));

/** Reserves the records of an earlier attempt, so that no other item gets them. */
export function recalled(shared: SharedRun, request: PlannedRequest, known: Finished): Done {
  const { records, partialFailure, openAttempts, withoutSecrets, byWord, byDatabase, isOtherPayment } = known;
  if ((byWord || byDatabase) && !isOtherPayment) shared.keys.recordApplied(request, byDatabase);
  shared.recordMatcher.own(request, records, openAttempts);
  const output = records.map((record) =>
    known.ofOther ? formatForItem(request, record) : typeUnlessRaw(request, record),
  );
  return { records: output, partialFailure, openAttempts, withoutSecrets, byWord, byDatabase, remembered: true };
}

export function formatForItem(request: PlannedRequest, record: IDataObject): IDataObject {
  const [values = request.values] = request.perItem ?? [];
  const rest = Object.entries(record).filter(([name]) => name !== WHAT_HAPPENED);
  return formatRecord(request, Object.fromEntries(rest), values);
}

/** Adds a sentence to the records after `what_happened`. */
export const withNotice = (done: Done, notice: string | undefined): Done =>
  notice === undefined
    ? done
    : { ...done, records: done.records.map((record) => ({ ...only(record, [WHAT_HAPPENED]), notice, ...record })) };

/** Returns a failed item if part of the write failed and the user chose to fail such items. */
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

/** Keeps an unknown outcome if the service may have applied an earlier attempt. */
export function stillOpen(shared: SharedRun, request: PlannedRequest, failure: Failure): Failure {
  const memory = memoryFor(shared, request);
  const isUnknown = failure.outcome === 'unknown';
  if (isUnknown || memory?.sentAt(request) !== undefined) shared.recordMatcher.leaveOpen(request);
  else shared.recordMatcher.notApplied(request);
  return !isUnknown && (memory?.openAttempts(request) ?? 0) > 0 ? afterOpenAttempts(failure) : failure;
}

/** `answer` is missing if sending threw an error. */
export function stopsRun({ goOn, earlier }: SharedRun, request: PlannedRequest, answer?: Answer): boolean {
  if (goOn || earlier.has(request)) return false;
  if (!answer?.ok) return true;
  const { partialFailure } = request.operation;
  return findPartialFailure(request, answer) !== undefined && partialFailure?.fails(request.values) === true;
}

/** Reads need no memory, because the node may repeat them. */
export const memoryFor = ({ memory }: SharedRun, { effect }: PlannedRequest) =>
  effect === 'reads' ? undefined : memory;
