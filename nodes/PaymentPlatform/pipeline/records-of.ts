import type { IDataObject } from 'n8n-workflow';

import { isList, isObject, type DataValue } from '../shared/objects';
import type { Answer } from './types';

/** A write always gives an item, also when the service answers with nothing, a bare value or an empty list. */
export function recordsOf({ record }: Extract<Answer, { ok: true }>): IDataObject[] {
  if (!isList(record)) return [asRecord(record)];
  return record.length > 0 ? record.map(asRecord) : [{}];
}

const asRecord = (record: DataValue): IDataObject =>
  isObject(record) ? record : record === undefined || record === null ? {} : { data: record };
