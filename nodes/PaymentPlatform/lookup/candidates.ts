import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';
import type { WriteValues, Footprint } from '../model/footprint';

type ByValue = Map<string, IDataObject[]>;

/** Records of lists by the value of a field. Many items share a list, so the node indexes it once for all of them. */
const indexes = new WeakMap<IDataObject[], Map<string, ByValue>>();

/**
 * Returns the records that can belong to a write: those with a value that `Footprint.filter` asks for, and after them those
 * without any value in that field. Both keep the order of the list.
 */
export function candidates(
  records: IDataObject[],
  { filter }: Pick<Footprint, 'filter'>,
  values: WriteValues,
): IDataObject[] {
  const found = filter(values).flatMap((one) => {
    const [, field, value] = /^(\w+),IS,(.*)$/s.exec(one) ?? [];
    return field === undefined || value === undefined ? [] : [withValue(indexOf(records, field), value)];
  });
  return found.reduce((least, one) => (one.length < least.length ? one : least), records);
}

function withValue(index: ByValue, value: string): IDataObject[] {
  const [equal = [], empty = []] = [index.get(value), index.get('')];
  return empty.length === 0 ? equal : [...equal, ...empty];
}

function indexOf(records: IDataObject[], field: string): ByValue {
  const known = indexes.get(records) ?? new Map<string, ByValue>();
  indexes.set(records, known);
  const index = known.get(field) ?? byValue(records, field);
  known.set(field, index);
  return index;
}

function byValue(records: IDataObject[], field: string): ByValue {
  const index: ByValue = new Map();
  for (const record of records) {
    const value = asText(record[field]).trim();
    const equal = index.get(value);
    if (equal) equal.push(record);
    else index.set(value, [record]);
  }
  return index;
}
