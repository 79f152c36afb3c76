import type { IDataObject } from 'n8n-workflow';

import { noRecordFailure } from '../messages/describe-answers';
import { isEmpty } from '../fields/value';
import { describeFailure } from '../messages/describe-failure';
import { fetchList, type ListToRead } from '../service/fetch-list';
import type { IsOptional } from '../service/page-requests';
import { NotStarted } from '../service/gate';
import { objectIn, onlyObjectsIn } from '../shared/objects';
import { sendOnce, sendWithRetries } from '../service/send';
import { formatRecord } from '../output/format-record';
import { describeEmptyPeriod } from '../output/describe-list';
import { fallbackQuery, recordFilter } from '../service/filter-records';
import type { RequestResult } from '../model/results';
import { LinkedFields } from './add-linked-fields';
import { exportList, exportRecords } from './export-file';
import type { SharedRun } from './shared-run';
import { notStarted, omittedSecrets, OWN_MISTAKE, recordSuccess, reviewed, stopsRun } from './write-results';
import type { ListDeclaration, PlannedRequest } from '../model/types';
import type { Answer } from '../model/failure';

/** Never throws for connection errors or error responses. */
export async function processRead(shared: SharedRun, request: PlannedRequest): Promise<RequestResult> {
  const { items, list } = request;
  try {
    return list ? await processList(shared, request, list) : await processRecord(shared, request);
  } catch (error) {
    if (error instanceof NotStarted) return notStarted(shared.memory, request, error.reason);
    return { items, kind: 'failed', failure: describeFailure(OWN_MISTAKE, request) };
  }
}

async function processRecord(shared: SharedRun, request: PlannedRequest): Promise<RequestResult> {
  const { items } = request;
  const answer = await read(shared, request, request.values.query);
  if (!answer.ok) return { items, kind: 'failed', failure: describeFailure(answer.failure, request) };
  const { records: held } = request.operation.request;
  const list = held === undefined ? [] : objectIn(answer.record)[held];
  if (!onlyObjectsIn(list)) return { items, kind: 'failed', failure: describeFailure(noRecordFailure(list), request) };
  const result: RequestResult =
    !request.operation.shape && isEmptyList(answer.record)
      ? { items, kind: 'done', records: [] }
      : reviewed(request, recordSuccess(shared, request, answer));
  if (result.kind === 'done' && request.file) return await exportRecords(shared, request, request.file, result);
  return result.kind === 'done' && result.records.length !== 1 ? { ...result, list: {} } : result;
}

const isEmptyList = (record: unknown): boolean => Array.isArray(record) && record.length === 0;

async function processList(
  shared: SharedRun,
  request: PlannedRequest,
  declaration: ListDeclaration,
): Promise<RequestResult> {
  const { values, items, file, limit } = request;
  const listAt = (query: IDataObject): ListToRead => [
    { ...declaration, mayMove: mayMove(declaration, query) },
    limit,
    async (page, count, ...how) => await read(shared, request, { ...query, count, page }, ...how),
    shared.options.maxParallelRequests,
    recordFilter(request),
  ];
  if (file) return await exportList(shared, request, file, listAt);
  const fetched = async (query: IDataObject) => await fetchList(...listAt(query));
  const first = await fetched(values.query);
  const instead = 'ok' in first ? fallbackQuery(first, values.query, request) : undefined;
  const list = instead ? await fetched(instead) : first;
  if ('ok' in list) return { items, kind: 'failed', failure: describeFailure(list.failure, request) };
  const withoutSecrets = omittedSecrets(request, list.records);
  const linked = new LinkedFields(shared, request);
  const records = await linked.add(list.records);
  return linked.withReason({
    items,
    kind: 'done',
    records: records.map((record) => formatRecord(request, record, values)),
    ...(withoutSecrets.length > 0 && { withoutSecrets }),
    list: { total: list.total },
    note: list.note ?? (records.length === 0 ? describeEmptyPeriod(request.operation, values) : undefined),
  });
}

/** Fields of a record that never change, besides its ID. */
const LASTING: ReadonlySet<unknown> = new Set([
  'batch_date',
  'billing_month',
  'db_timestamp',
  'incoming_date',
  'request_date',
  'tran_date',
  'tran_time',
]);

/** Returns whether the user sorts the list by a field that can change while the node reads the list. */
const mayMove = ({ identity }: ListDeclaration, { order_on: by }: IDataObject): boolean =>
  !isEmpty(by) && by !== identity && !LASTING.has(by);

/**
 * Repeats a read request after a temporary failure.
 * @param wanted returns whether the request is still needed when it can start.
 * @param isOptional returns whether the run continues in spite of a failure.
 */
async function read(
  shared: SharedRun,
  request: PlannedRequest,
  query: IDataObject,
  wanted = () => true,
  isOptional: IsOptional = () => false,
): Promise<Answer> {
  const { options: patience, gate } = shared;
  const { effect, objectKey } = request;
  const ends = (last: Answer | undefined) =>
    !isOptional(last) && !fallbackQuery(last, query, request) && stopsRun(shared, request, last);
  return await sendWithRetries({ effect, patience, gate, objectKey, ends }, async () => {
    if (!wanted()) throw new NotStarted();
    await gate.waitUntilUnblocked();
    return await sendOnce(shared, { ...request, values: { ...request.values, query } });
  });
}
