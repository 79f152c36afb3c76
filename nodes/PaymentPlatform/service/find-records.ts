import type { IDataObject } from 'n8n-workflow';

import { isList, isObject, objectIn, objectsIn, type DataValue } from '../shared/objects';
import type { PlannedRequest } from '../model/types';
import type { Answer } from '../model/failure';

type Succeeded = Extract<Answer, { ok: true }>;

/**
 * A write always gives an item, also when the service answers with nothing, a bare value or an empty list.
 * @param held the field that holds the records, where the answer's record is none itself.
 */
export function findRecords({ record }: Succeeded, held?: string): IDataObject[] {
  if (held !== undefined) return objectsIn(objectIn(record)[held]);
  if (!isList(record)) return [asRecord(record)];
  return record.length > 0 ? record.map(asRecord) : [{}];
}

/** The records of a write. Where the operation can't find them in the answer, all that the answer holds. */
export function findRecordsOfWrite({ operation, values }: PlannedRequest, answer: Succeeded): IDataObject[] {
  const all = findRecords(answer, operation.request.records);
  try {
    return operation.made ? [operation.made(all, values)] : all;
  } catch {
    return all;
  }
}

const asRecord = (record: DataValue): IDataObject =>
  isObject(record) ? record : record === undefined || record === null ? {} : { data: record };
