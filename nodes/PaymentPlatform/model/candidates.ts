import type { IDataObject } from 'n8n-workflow';

import type { Footprint, WriteValues } from './footprint';
import { shownText, withoutZeros } from './likeness';

/** Records by a field's value. The key `undefined` contains the records that can belong to any write. */
type Index = Map<string | undefined, IDataObject[]>;

const indexes = new WeakMap<IDataObject[], Map<unknown, Index>>();

type Searched = Pick<Footprint, 'filter' | 'mayLackFilter' | 'cents'>;

/** Returns the list filters of a write. The node's own reference suffices, even if other values of its record differ. */
export function filtersOf({ filter }: Pick<Footprint, 'filter'>, values: WriteValues): string[] {
  const filters = filter(values);
  const own = filters.filter((one) => one.startsWith(`${values.reference?.name},IS,`));
  return own.length > 0 ? own : filters;
}

/**
 * Selects by the write's filter or amount. A record may lack one of the references that the user chose if it shows
 * another one. Callers must not modify the cached array.
 */
export function candidates(records: IDataObject[], footprint: Searched, values: WriteValues): IDataObject[] {
  const found = filtersOf(footprint, values).flatMap((one) => {
    const [, field, value] = /^(\w+),IS,(.*)$/s.exec(one) ?? [];
    if (field === undefined || value === undefined) return [];
    const filter = { field, value };
    return [{ filter, list: withValue(records, filter, footprint, values) }];
  });
  const [first, ...others] = found;
  if (!first) return withAmount(records, footprint, values);
  const least = others.reduce((one, other) => (other.list.length < one.list.length ? other : one), first);
  if (footprint.mayLackFilter) return least.list;
  const lacking = byText(records, least.filter.field).get('') ?? [];
  return found
    .filter((one) => one !== least)
    .map(({ filter: { field, value } }) => byText(lacking, field).get(withoutZeros(value)) ?? [])
    .reduce(joined, least.list);
}

const byText = (records: IDataObject[], field: string): Index =>
  indexOf(records, field, (record) => withoutZeros(shownText(record[field])));

function withValue(
  records: IDataObject[],
  { field, value }: { field: string; value: string },
  footprint: Searched,
  values: WriteValues,
): IDataObject[] {
  const index = byText(records, field);
  const { mayLackFilter } = footprint;
  const empty = index.get('');
  const equal = index.get(withoutZeros(value)) ?? [];
  if (!mayLackFilter || !empty) return equal;
  const lacking = indexOf(empty, mayLackFilter, (record) => String(mayLackFilter(record))).get('true');
  return lacking ? joined(equal, withAmount(lacking, footprint, values)) : equal;
}

function withAmount(records: IDataObject[], { cents }: Searched, values: WriteValues): IDataObject[] {
  const asked = cents?.asked(values);
  if (!cents || asked === undefined) return records;
  const index = indexOf(records, cents, (record) => cents.shown(record)?.toString());
  return joined(index.get(String(asked)) ?? [], index.get(undefined) ?? []);
}

const joined = (first: IDataObject[], others: IDataObject[]): IDataObject[] => {
  if (others.length === 0) return first;
  return first.length === 0 ? others : [...first, ...others];
};

function indexOf(records: IDataObject[], key: unknown, valueOf: (record: IDataObject) => string | undefined): Index {
  const known = indexes.get(records) ?? new Map<unknown, Index>();
  indexes.set(records, known);
  const index = known.get(key) ?? indexBy(records, valueOf);
  known.set(key, index);
  return index;
}

function indexBy(records: IDataObject[], valueOf: (record: IDataObject) => string | undefined): Index {
  const index: Index = new Map();
  for (const record of records) {
    const value = valueOf(record);
    const equal = index.get(value);
    if (equal) equal.push(record);
    else index.set(value, [record]);
  }
  return index;
}
