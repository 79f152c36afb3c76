import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Gate } from './gate';
import { NotStarted } from './gate';
import { asRecords, fetchList } from './list';
import { isObject } from './objects';
import { send } from './send';
import type { Account, Answer, Failure, PlannedRequest, RunOptions } from './types';

/** What became of one item. */
export type ItemResult =
  | { kind: 'done'; records: IDataObject[]; note?: string }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'notStarted' };

/** A pause without Retry-After, in milliseconds. */
const DEFAULT_PAUSE_MS = 1000;
/** A service that asks for a longer pause would hold the execution; the pause is cut here, in milliseconds. */
const LONGEST_PAUSE_MS = 60_000;

/** Sends the request of one item (for a list: its pages) through the gate. Never throws for what happens on the wire. */
export async function processItem(
  context: IExecuteFunctions,
  account: Account,
  options: RunOptions,
  gate: Gate,
  request: PlannedRequest,
): Promise<ItemResult> {
  const { operation, values, path, objectKey } = request;
  const { method, family } = operation.request;
  const sendOnce = async (query: IDataObject): Promise<Answer> =>
    await gate.run(objectKey, async () => {
      const body = method === 'GET' || method === 'DELETE' ? undefined : values.body;
      const answer = await send(context, account, { method, path, family, query, body, timeoutMs: options.timeoutMs });
      adapt(gate, answer);
      return answer;
    });
  try {
    if (!operation.list) return single(request, await sendOnce(values.query));
    const list = await fetchList(
      operation.list,
      request.limit,
      async (page, count) => await sendOnce({ ...values.query, count, page }),
    );
    if ('ok' in list) return { kind: 'failed', failure: list.failure };
    return { kind: 'done', records: list.records.map((record) => presented(request, record)), note: list.note };
  } catch (error) {
    if (error instanceof NotStarted) return { kind: 'notStarted' };
    // A mistake of our own after sending must not look like "not applied".
    return {
      kind: 'failed',
      failure: { outcome: 'unknown', message: 'The answer could not be processed', advice: '' },
    };
  }
}

function adapt(gate: Gate, answer: Answer): void {
  if (answer.ok) return gate.speedUp();
  const { httpStatus, retryAfterMs } = answer.failure;
  if (httpStatus === 429 || httpStatus === 503)
    gate.slowDown(Math.min(retryAfterMs ?? DEFAULT_PAUSE_MS, LONGEST_PAUSE_MS));
}

function single(request: PlannedRequest, answer: Answer): ItemResult {
  if (!answer.ok) return { kind: 'failed', failure: answer.failure };
  const records = Array.isArray(answer.record) ? asRecords(answer.record) : [asRecord(answer.record)];
  return { kind: 'done', records: records.map((record) => presented(request, record)) };
}

const asRecord = (record: unknown): IDataObject =>
  isObject(record) ? (record as IDataObject) : ({ data: record } as IDataObject);

function presented({ operation, values, simplify }: PlannedRequest, record: IDataObject): IDataObject {
  const whole = operation.present ? operation.present(record, values) : record;
  if (!simplify || !operation.simplified) return whole;
  return Object.fromEntries(operation.simplified.filter((name) => name in whole).map((name) => [name, whole[name]]));
}
