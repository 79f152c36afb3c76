import type { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';

/** Values of a request that distinguish one write from another. */
export interface WriteValues {
  path: IDataObject;
  body: IDataObject;
  /** Settings of the node, which are never sent. */
  node?: IDataObject;
  /** Record that the write copies, if the node has read it (see `madeOf`). */
  source?: IDataObject;
}

/** Filter of a list by the value of a field (service.md#lists). */
export type Filter<Name extends string = string> = `${Name},IS,${string}`;

/** List or single record of the service that contains the result of a write. */
export interface Listing<Values = WriteValues, Name extends string = string> {
  /** Path below the base URL. Names of path fields in braces are replaced by the write's values. */
  path: string;
  /** Returns the path if users choose it. */
  pathOf?(this: void, values: Values): string;
  /** Field that distinguishes two records. Missing if the records can be of any type. */
  identity: Name;
  /** Field that sorts the latest records first (service.md#lists). Missing if the path returns one record. */
  newestBy?: Name;
  /**
   * Whether the write removes a record from the list. The node then reads the whole list, and the write was applied if
   * no record matches any more.
   */
  removesRecord?: true;
}

/**
 * Time for which a match identifies this write: minutes after it was sent, a day, or any time if the match includes a
 * reference from the user.
 */
export type Lifetime = 'minutes' | 'day' | 'always';

/**
 * Values that identify a write at the service when its response is lost. All functions are pure. The caller compares
 * times and counts equal records. `Values` are the request's values and `Seen` is a record of the list, both with the
 * names of the interface.
 */
export interface Footprint<Values extends { body: unknown } = WriteValues, Seen = IDataObject> {
  /** List that shows the write, or record that the write changes. */
  list: Listing<Values, keyof Seen & string>;
  /**
   * Returns filters that narrow the list when the node searches for a single write. Returns none if the list has no
   * suitable filter.
   */
  filter(this: void, values: Values): Array<Filter<keyof Seen & string>>;
  /**
   * Returns whether a record without a value in the filtered field can come from such a write. Without this function,
   * such records are never considered.
   */
  mayLackFilter?(this: void, record: Seen): boolean;
  /**
   * Amount in cents that a record must show. The amount narrows long lists for which no filter exists. `shown` returns
   * `undefined` for a record that can match any amount, and `asked` for a write without an amount.
   */
  cents?: {
    shown(this: void, record: Seen): number | undefined;
    asked(this: void, values: Values): number | undefined;
  };
  /** Returns whether the request contains every value that must match. */
  isIdentifiable(this: void, values: Values): boolean;
  /**
   * Returns a key that is equal for all writes that can have produced the same record, as far as the request determines
   * it. `mayMatch` distinguishes them further.
   */
  key(this: void, values: Values): string;
  /** Returns the keys of the writes that can have produced the record, if `key` differs between them. */
  keysOf?(this: void, record: Seen): string[];
  lifetime: 'minutes' | ((values: Values) => Lifetime);
  /** Field of the body for the user's own reference, if the list shows it. */
  reference?: keyof Values['body'] & string;
  /**
   * Record that the write copies, if the request lacks its content. The node reads it before it calls `matches` with a
   * possible record. `matches` and `mayMatch` work without it if the source no longer exists.
   */
  madeOf?: Listing<Values>;
  /**
   * List with the content of a record, if the list of records doesn't show it. The node reads it for a new record that
   * `mayMatch`, and adds its rows to the record under this name.
   */
  rows?: { name: string; path(this: void, record: Seen): string };
  /** Returns whether the record proves that the write was applied. */
  matches(this: void, record: Seen, values: Values): boolean;
  /**
   * Returns whether the record may come from such a write, without proof. If the user chose If It Already Exists, a
   * possible match prevents sending. Defaults to `matches`.
   */
  mayMatch?(this: void, record: Seen, values: Values): boolean;
  /**
   * Returns whether a matching record changed after its write, such as an authorization that was captured in part. Such
   * a record can exist before a write, but it can't belong to a write whose response was just lost.
   */
  changedSince?(this: void, record: Seen, values: Values): boolean;
  /**
   * Whether a tool refuses a write if an equal record exists, unless the option If It Already Exists is set to another
   * action.
   */
  isCheckedInTools?: true;
  /**
   * Returns the latest time at which the record could have been created, or `undefined` if the record doesn't contain
   * a time. If this function is missing, the node considers only records that weren't in the list before the write, so
   * IDs must be increasing numbers. If the path returns a single record, the node considers only values that differ from
   * those before the write.
   */
  time?(this: void, record: Seen): DateTime | undefined;
  /** Description of the allowed time difference, if it isn't two minutes. */
  when?: string;
  /** Converts the record to the operation's response, if they differ. */
  answer?(this: void, record: Seen): IDataObject;
  /** Returns the same summary as the operation's response would give. */
  summary?(this: void, record: Seen, values: Values): string;
  /** Name of the list in messages: "the transaction report". */
  where: string;
  /** Description of a match: "same transaction, same amount". */
  agreement: string;
  /** Description of a possible match. Defaults to `agreement`. */
  resemblance?: string;
}

/** Returns how long a match identifies this write. */
export const lifetimeOf = ({ lifetime }: Footprint, values: WriteValues): Lifetime =>
  typeof lifetime === 'function' ? lifetime(values) : lifetime;

/**
 * Returns whether a record that the execution created or changed belongs to only one write. A record with a fixed path
 * can change many times. If it has no time, the node compares it with its state before the write.
 */
export const isExclusive = ({ list, time }: Footprint): boolean => list.newestBy !== undefined || time !== undefined;

/**
 * Returns whether the operation's writes appear in a list and stay identifiable for longer than some minutes, so that
 * the node can return an existing record.
 */
export const canExist = ({ lifetime, list }: Footprint): boolean =>
  lifetime !== 'minutes' && list.newestBy !== undefined;

/** Returns a sent or shown value as trimmed text for comparison. */
export const comparableText = (value: unknown): string => asText(value).trim();

/** Returns the day at the beginning of a date or timestamp (service.md#values). */
export const dayOf = (value: unknown): string => comparableText(value).slice(0, 10);

/**
 * Returns whether the record contains the sent text. A value that wasn't sent matches everything, because the service
 * fills it in.
 */
export const isSameWhereSent = (shown: unknown, sent: unknown): boolean =>
  sent === undefined || comparableText(shown) === comparableText(sent);
