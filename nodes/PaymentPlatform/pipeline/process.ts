import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { duplicateFailure } from './duplicate';
import type { Gate } from './gate';
import { NotStarted } from './gate';
import { asRecords, fetchList } from './list';
import { explained, rememberedFailure } from './lookup';
import type { Memory } from './memory';
import { asText, isObject } from './objects';
import { adapt } from './pace';
import { isRepeatable, retryDelayMs } from './retry';
import { send } from './send';
import type { Account, Answer, Failure, PlannedRequest, Remark, RunOptions } from './types';

/** What became of one request, and so of its items. */
export type RequestResult = { items: number[] } & (
  | { kind: 'done'; records: IDataObject[]; note?: string; remark?: Remark; remembered?: boolean }
  | { kind: 'failed'; failure: Failure; remembered?: boolean }
  /** `reason`: a sentence that says why, when it was not another item's failure or a person. */
  | { kind: 'notStarted'; reason?: string }
);

/** What all requests of a run share. */
export interface SharedRun {
  context: IExecuteFunctions;
  account: Account;
  options: RunOptions;
  gate: Gate;
  memory: Memory;
  /** Identities of the records that this run made. */
  ownIds: Set<string>;
}

/** Sends one request (for a list: its pages) through the gate. Never throws for what happens on the wire. */
export async function processRequest(shared: SharedRun, request: PlannedRequest): Promise<RequestResult> {
  const { items } = request;
  try {
    return request.list ? await processList(shared, request) : await processSingle(shared, request);
  } catch (error) {
    if (error instanceof NotStarted) return { items, kind: 'notStarted', reason: error.reason };
    // A mistake of our own after sending must not look like "not applied".
    const failure: Failure = { outcome: 'unknown', message: 'The answer could not be processed', advice: '' };
    return { items, kind: 'failed', failure: explained(failure, request) };
  }
}

async function processSingle(shared: SharedRun, request: PlannedRequest): Promise<RequestResult> {
  const { items, options } = request;
  const memory = memoryFor(shared, request);
  const remembered = memory?.recall(request);
  if (remembered?.outcome === 'done') {
    noteOwn(shared, request, remembered.records);
    return reviewed(request, remembered, { remembered: true });
  }
  if (remembered && !options.resendUnknown)
    return { items, kind: 'failed', failure: rememberedFailure(remembered.outcome, request), remembered: true };

  const answer = await sendWithRetries(shared, request, request.values.query);
  if (!answer.ok) return { items, kind: 'failed', failure: explained(answer.failure, request) };
  const records = Array.isArray(answer.record) ? asRecords(answer.record) : [asRecord(answer.record)];
  const output = records.map((record) => presented(request, record));
  const { review } = request.operation;
  const remark = review && records.map(review.find).find((found) => found !== undefined);
  memory?.done(request, output, remark);
  noteOwn(shared, request, records);
  return reviewed(request, { records: output, ...(remark && { remark }) });
}

/** Records that this run made, in this try or an earlier one, are no duplicates. */
function noteOwn({ ownIds }: SharedRun, { operation }: PlannedRequest, records: IDataObject[]): void {
  const { duplicate } = operation;
  if (duplicate) for (const record of records) ownIds.add(asText(record[duplicate.list.identity]));
}

/** What was made, or a failed item where a part of it went wrong and the person wants that to count as a failure. */
function reviewed(
  request: PlannedRequest,
  { records, remark }: { records: IDataObject[]; remark?: Remark },
  more: { remembered?: boolean } = {},
): RequestResult {
  const { items, operation, values } = request;
  return remark && operation.review?.fails(values)
    ? { items, kind: 'failed', failure: explained(remark.failure, request), ...more }
    : { items, kind: 'done', records, ...(remark && { remark }), ...more };
}

async function processList(shared: SharedRun, request: PlannedRequest): Promise<RequestResult> {
  const { list: declaration = { fields: [] }, values, items, limit } = request;
  const list = await fetchList(
    declaration,
    limit,
    async (page, count, wanted) => await sendWithRetries(shared, request, { ...values.query, count, page }, wanted),
    shared.options.maxParallelRequests,
  );
  if ('ok' in list) return { items, kind: 'failed', failure: explained(list.failure, request) };
  return { items, kind: 'done', records: list.records.map((record) => presented(request, record)), note: list.note };
}

/** Reads may be sent as often as one likes. */
const memoryFor = ({ memory }: SharedRun, { effect }: PlannedRequest) => (effect === 'reads' ? undefined : memory);

/**
 * Sends one request until it has an answer that stands: repeated only as its effect allows. With On Error set to Stop, a
 * failure that stands closes the gate before anything else can start.
 * @param wanted asked when the request's turn comes: nobody waits any more for a page of a list that failed.
 */
async function sendWithRetries(
  shared: SharedRun,
  request: PlannedRequest,
  query: IDataObject,
  wanted: () => boolean = () => true,
): Promise<Answer> {
  const { context, account, options, gate, ownIds } = shared;
  const memory = memoryFor(shared, request);
  const { values, method, path, family, effect, objectKey } = request;
  const body = method === 'GET' || method === 'DELETE' ? undefined : values.body;
  let tries = 0;
  let answeredAt = 0;
  const once = async (): Promise<Answer> => {
    if (!wanted()) throw new NotStarted();
    tries += 1;
    const duplicate = await duplicateFailure(context, account, options, request, ownIds);
    if (duplicate) {
      adapt(gate, { ok: false, failure: duplicate });
      return { ok: false, failure: duplicate };
    }
    gate.assertOpen();
    memory?.sending(request);
    const answer = await send(context, account, { method, path, family, query, body, timeoutMs: options.timeoutMs });
    if (!answer.ok && answer.failure.outcome !== 'unknown') memory?.notApplied(request);
    adapt(gate, answer);
    return answer;
  };
  const again = (last: Answer) => {
    if (last.ok || !isRepeatable(effect, last.failure)) return undefined;
    answeredAt ||= Date.now();
    return retryDelayMs(last.failure, tries, Date.now() - answeredAt, options);
  };
  const answer = await gate.run(objectKey, once, { again, ends: (last) => endsRun(shared, request, last) });
  if (!answer.ok && tries > 1) answer.failure.tries = tries;
  return answer;
}

/** Whether nothing may start after this answer; `undefined` when sending threw. */
function endsRun({ context }: SharedRun, { operation, values }: PlannedRequest, answer?: Answer): boolean {
  if (context.continueOnFail()) return false;
  if (!answer?.ok) return true;
  const { review } = operation;
  return review !== undefined && review.find(asRecord(answer.record)) !== undefined && review.fails(values);
}

const asRecord = (record: unknown): IDataObject =>
  isObject(record) ? (record as IDataObject) : ({ data: record } as IDataObject);

function presented({ operation, values, simplify }: PlannedRequest, record: IDataObject): IDataObject {
  const whole = operation.present ? operation.present(record, values) : record;
  if (!simplify || !operation.simplified) return whole;
  const known = operation.summarize ? operation.summarize(whole) : whole;
  return Object.fromEntries(operation.simplified.filter((name) => name in known).map((name) => [name, known[name]]));
}
