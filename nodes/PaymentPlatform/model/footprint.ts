import type { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';

/** Parts of a request that distinguish a write from other writes. */
export interface WriteValues {
  path: IDataObject;
  body: IDataObject;
  node?: IDataObject;
  /** The record that the write copies. Missing if the node hasn't read the record. */
  source?: IDataObject;
}

/** List filter for records with a certain field value (service.md#lists). */
export type Filter<Name extends string = string> = `${Name},IS,${string}`;

/** List or single record at the service that shows the result of a write. */
export interface Listing<Values = WriteValues, Name extends string = string> {
  path: string;
  pathOf?(this: void, values: Values): string;
  /** Field that uniquely identifies a record. */
  identity: Name;
  /** Field for sorting the newest records first (service.md#lists). Missing if the path returns a single record. */
  newestBy?: Name;
  /** Set for a write that removes a record. If no record matches, the service applied the write. */
  removesRecord?: true;
}

/**
 * Period after sending in which a matching record identifies the write. `always` means that the period doesn't end.
 */
export type Lifetime = 'minutes' | 'day' | 'always';

/** Rules for finding a write at the service after its response was lost. */
export interface Footprint<Values extends { body: unknown } = WriteValues, Seen = IDataObject> {
  /** List that contains the record of the write, or the single record that the write changes. */
  list: Listing<Values, keyof Seen & string>;
  filter(this: void, values: Values): Array<Filter<keyof Seen & string>>;
  /** Returns whether a record without a value in the filtered field can belong to a write. By default, it can't. */
  mayLackFilter?(this: void, record: Seen): boolean;
  /**
   * Amounts in cents that narrow down a long list without a suitable filter. If `shown` returns `undefined`, the record
   * can match any amount.
   */
  cents?: {
    shown(this: void, record: Seen): number | undefined;
    asked(this: void, values: Values): number | undefined;
  };
  /** Returns whether the request contains every field that the node compares with a record. */
  isIdentifiable(this: void, values: Values): boolean;
  /** Returns a key that all writes share if they could have created the same record. */
  key(this: void, values: Values): string;
  /** Returns the keys of all writes that could have created the record, if they have different keys. */
  keysOf?(this: void, record: Seen): string[];
  lifetime: 'minutes' | ((values: Values) => Lifetime);
  /** Body field with the user's own reference, if the list shows that reference. */
  reference?: keyof Values['body'] & string;
  /** Source record that the write copies. The node reads it before it calls `matches`. */
  madeOf?: Listing<Values>;
  /**
   * List with the rows of a record, if the main list doesn't show them. The node adds the rows to the record under
   * `name`.
   */
  rows?: { name: string; path(this: void, record: Seen): string };
  /** Returns whether the record proves that the service applied the write. */
  matches(this: void, record: Seen, values: Values): boolean;
  /** Returns whether the record plausibly belongs to the write. Defaults to `matches`. */
  mayMatch?(this: void, record: Seen, values: Values): boolean;
  /**
   * Returns whether a record has changed since its write. A changed record can't belong to a write that the node has
   * just sent.
   */
  changedSince?(this: void, record: Seen, values: Values): boolean;
  /** Whether a tool refuses a write by default if a matching record exists. */
  isCheckedInTools?: true;
  /**
   * Returns the latest time at which the service could have created the record. Without this function, only records
   * that weren't in the list before the write can match after a lost response.
   */
  time?(this: void, record: Seen): DateTime | undefined;
  when?: string;
  /** Converts the record to the format of the operation's response, if the formats differ. */
  answer?(this: void, record: Seen): IDataObject;
  /** Returns the summary that the operation's response would produce. */
  summary?(this: void, record: Seen, values: Values): string;
  where: string;
  agreement: string;
  resemblance?: string;
}

/** Returns the period in which a match identifies the write. */
export const lifetimeOf = ({ lifetime }: Footprint, values: WriteValues): Lifetime =>
  typeof lifetime === 'function' ? lifetime(values) : lifetime;

/**
 * Returns whether a record belongs to only one write. Without a time, several writes may have changed a record with a
 * fixed path.
 */
export const isExclusive = ({ list, time }: Footprint): boolean => list.newestBy !== undefined || time !== undefined;

/** Returns whether the node can return an existing record instead of sending a write. */
export const canExist = ({ lifetime, list }: Footprint): boolean =>
  lifetime !== 'minutes' && list.newestBy !== undefined;

/** Returns a value as trimmed text for comparison. */
export const comparableText = (value: unknown): string => asText(value).trim();

/** Returns the date part of a date or timestamp (service.md#values). */
export const dayOf = (value: unknown): string => comparableText(value).slice(0, 10);

/**
 * Returns whether a record's field equals the sent field. If the request didn't contain the field, any value matches,
 * because the service set it.
 */
export const isSameWhereSent = (shown: unknown, sent: unknown): boolean =>
  sent === undefined || comparableText(shown) === comparableText(sent);
