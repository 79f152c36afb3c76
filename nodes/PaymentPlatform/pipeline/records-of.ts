import type { IDataObject } from 'n8n-workflow';

import { isList, isObject, objectIn, objectsIn, type DataValue } from '../shared/objects';
import type { Answer } from './types';

/**
 * A write always gives an item, also when the service answers with nothing, a bare value or an empty list.
 * @param held the field that holds the records, where the answer's record is none itself.
 */
export function recordsOf({ record }: Extract<Answer, { ok: true }>, held?: string): IDataObject[] {
  if (held !== undefined) return objectsIn(objectIn(record)[held]);
  if (!isList(record)) return [asRecord(record)];
  return record.length > 0 ? record.map(asRecord) : [{}];
}

const asRecord = (record: DataValue): IDataObject =>
  isObject(record) ? record : record === undefined || record === null ? {} : { data: record };
