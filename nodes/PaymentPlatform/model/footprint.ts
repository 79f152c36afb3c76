import type { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { likenessOfAll, likeText, type Likeness } from './likeness';

export interface WriteValues {
  path: IDataObject;
  body: IDataObject;
  node?: IDataObject;
  merchant?: string;
  /** The node's own reference in the body, which no other write sends. */
  reference?: OwnReference;
  /** The record named by `Footprint.source`. Missing until the node reads it. */
  source?: IDataObject;
}

export interface OwnReference {
  name: string;
  value: string;
  /** Whether every earlier attempt at the write sent the same reference. */
  isLasting: boolean;
}

/** List filter (service.md#lists). */
export type Filter<Name extends string = string> = `${Name},IS,${string}`;

export interface Listing<Values = WriteValues, Name extends string = string> {
  path: string;
  pathOf?(this: void, values: Values): string;
  /** Field that uniquely identifies a record. */
  identity: Name;
  /** Sorts the newest records first (service.md#lists). Missing for a single record. */
  newestBy?: Name;
  /** IDs in the path of a single record, by field. */
  ids?: IDataObject;
  /** If no record matches, the service applied the write. */
  removesRecord?: true;
}

/** A matching record identifies the write in this period after sending. `always` doesn't end. */
export type Lifetime = 'minutes' | 'day' | 'always';

/** Rules for finding a write at the service after a lost response. */
export interface Footprint<Values extends { body: unknown } = WriteValues, Seen = IDataObject> {
  /** List with the write's record, or the single record that the write changes. */
  list: Listing<Values, keyof Seen & string>;
  filter(this: void, values: Values): Array<Filter<keyof Seen & string>>;
  /** Returns whether a record without the filtered field can belong to a write. Defaults to false. */
  mayLackFilter?(this: void, record: Seen): boolean;
  /**
   * Amounts in cents that narrow down a long list without a suitable filter. If `shown` returns `undefined`, the record
   * can match any amount.
   */
  cents?: {
    shown(this: void, record: Seen): number | undefined;
    asked(this: void, values: Values): number | undefined;
  };
  /** The request must contain every field that the node compares with a record. */
  isIdentifiable(this: void, values: Values): boolean;
  /** All writes that could have created the same record share a key. */
  key(this: void, values: Values): string;
  /** Returns the keys of all writes that could have created the record, if they differ. */
  keysOf?(this: void, record: Seen): string[];
  lifetime: 'minutes' | ((values: Values) => Lifetime);
  /**
   * Record that `compare` needs, such as the paying customer. The node reads it only if a record may otherwise belong
   * to the write.
   */
  source?(this: void, values: Values): Listing | undefined;
  /**
   * Details that the list doesn't show, added under `name`. The node reads them only if the record may otherwise belong
   * to the write.
   */
  details?: { name: string; isList?: true; path(this: void, record: Seen): string };
  /** Compares each identifying value, except a generated reference. */
  compare(this: void, record: Seen, values: Values): Likeness[];
  /** Returns `equal` if the service applied the record's write, and `different` if it didn't. */
  applied?(this: void, record: Seen): Likeness;
  /**
   * Returns whether a different record uses the write's number or code, so that a duplicate check refuses the write.
   */
  occupies?(this: void, record: Seen, values: Values): boolean;
  /** Whether tools refuse a write by default if a matching record exists. */
  isCheckedInTools?: true;
  /**
   * Returns the latest possible time of creation. Without it, only records that weren't in the list before the write
   * can match after a lost response.
   */
  time?(this: void, record: Seen): DateTime | undefined;
  /** Returns the earliest possible time of creation, if it can differ from `time`. */
  earliest?(this: void, record: Seen): DateTime | undefined;
  when?: string;
  answer?(this: void, record: Seen): IDataObject;
  /** Returns the summary of the response. */
  summary?(this: void, record: Seen, values: Values): string;
  where: string;
  agreement: string;
  resemblance?: string;
}

/** Other writes' records don't show the node's own reference. */
export function withoutReference(values: WriteValues): WriteValues {
  const { reference, ...others } = values;
  if (!reference) return values;
  const body = Object.entries(values.body).filter(([name]) => name !== reference.name);
  return { ...others, body: Object.fromEntries(body) };
}

export const lifetimeOf = ({ lifetime }: Footprint, values: WriteValues): Lifetime =>
  typeof lifetime === 'function' ? lifetime(values) : lifetime;

/** Without a time, several writes may have changed a record with a fixed path. */
export const isExclusive = ({ list, time }: Footprint): boolean => list.newestBy !== undefined || time !== undefined;

/** Returns whether an existing record can replace a write. */
export const canExist = ({ lifetime, list }: Footprint): boolean =>
  lifetime !== 'minutes' && list.newestBy !== undefined;

/**
 * Compares a record with a write. Every value must be equal, unless the record shows the reference that only this write
 * sent. If that reference is equal but another value differs, the record neither proves nor excludes the write.
 */
export function likenessOf(
  { compare, applied = () => 'equal', list }: Pick<Footprint, 'compare' | 'applied' | 'list'>,
  record: IDataObject,
  values: WriteValues,
): Likeness {
  const { reference, merchant = '' } = values;
  const effect = applied(record);
  if (effect === 'different') return effect;
  const isOthers = list.newestBy !== undefined && likeText(record.merchant_id, merchant) === 'different';
  const whole = likenessOfAll([...compare(record, values), effect, ...(isOthers ? ['different' as const] : [])]);
  const own = reference ? likeText(record[reference.name], reference.value) : 'equal';
  if (reference && own === 'equal') return whole === 'different' || effect !== 'equal' ? 'notShown' : own;
  return likenessOfAll([whole, own]);
}
