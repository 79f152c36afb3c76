import type { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';

/** Values of a request that distinguish a write from other writes. */
export interface WriteValues {
  path: IDataObject;
  body: IDataObject;
  /** Settings of the node, which no request contains. */
  node?: IDataObject;
  /** Record that the write copies, if the node has read the record (see `madeOf`). */
  source?: IDataObject;
}

/** List filter for records that contain a certain value in a field (service.md#lists). */
export type Filter<Name extends string = string> = `${Name},IS,${string}`;

/** List or single record at the service that shows the result of a write. */
export interface Listing<Values = WriteValues, Name extends string = string> {
  /** Path below the base URL. The node replaces names in braces with the values of the write. */
  path: string;
  /** Returns the path, for operations that let users choose the path. */
  pathOf?(this: void, values: Values): string;
  /** Field that uniquely identifies a record. Empty if the records can be of any type. */
  identity: Name;
  /** Field for sorting the newest records first (service.md#lists). Missing if the path returns a single record. */
  newestBy?: Name;
  /**
   * Whether the write removes a record from the list. The node then reads the whole list. If no record matches, the
   * service applied the write.
   */
  removesRecord?: true;
}

/**
 * Period after sending in which a matching record identifies the write. `always` applies if the match includes a
 * reference from the user.
 */
export type Lifetime = 'minutes' | 'day' | 'always';

/**
 * Rules for finding a write at the service after its response was lost. All functions are pure. The caller compares
 * times and counts equal records. `Values` is the type of the request's values, and `Seen` is the type of a record in
 * the list. Both types use the interface's names.
 */
export interface Footprint<Values extends { body: unknown } = WriteValues, Seen = IDataObject> {
  /** List that contains the record of the write, or the single record that the write changes. */
  list: Listing<Values, keyof Seen & string>;
  /**
   * Returns filters that narrow the list to records of a single write. Returns an empty array if the list has no
   * suitable filter.
   */
  filter(this: void, values: Values): Array<Filter<keyof Seen & string>>;
  /**
   * Returns whether a record with no value in the filtered field may belong to a write. Without this function, the node
   * ignores records that have no value in the field.
   */
  mayLackFilter?(this: void, record: Seen): boolean;
  /**
   * Amounts in cents, which narrow long lists that have no suitable filter. `shown` returns the amount of a record, or
   * `undefined` if the record can match any amount. `asked` returns the amount of a write, or `undefined` if the write
   * has no amount.
   */
  cents?: {
    shown(this: void, record: Seen): number | undefined;
    asked(this: void, values: Values): number | undefined;
  };
  /** Returns whether the request contains every value that is compared with a record. */
  isIdentifiable(this: void, values: Values): boolean;
  /**
   * Returns a key that is equal for all writes that could have created the same record. `mayMatch` compares further
   * values.
   */
  key(this: void, values: Values): string;
  /** Returns the keys of all writes that could have created the record, if these writes have different keys. */
  keysOf?(this: void, record: Seen): string[];
  lifetime: 'minutes' | ((values: Values) => Lifetime);
  /** Field of the body that contains the user's own reference, if the list shows the reference. */
  reference?: keyof Values['body'] & string;
  /**
   * Source record that the write copies, if the request doesn't contain the copied values. The node reads the source
   * before it calls `matches`. If the source no longer exists, `matches` and `mayMatch` run without the source.
   */
  madeOf?: Listing<Values>;
  /**
   * List with the rows of a record, if the main list doesn't show the rows. If a new record passes `mayMatch`, the node
   * reads the rows and adds them to the record under `name`.
   */
  rows?: { name: string; path(this: void, record: Seen): string };
  /** Returns whether the record proves that the service applied the write. */
  matches(this: void, record: Seen, values: Values): boolean;
  /**
   * Returns whether the record may belong to the write, without proof. If the user set the option If It Already Exists,
   * a possible match prevents sending. Defaults to `matches`.
   */
  mayMatch?(this: void, record: Seen, values: Values): boolean;
  /**
   * Returns whether a matching record has changed since its write, such as an authorization that was captured in part.
   * A changed record can belong to an older write, but not to a write that the node has just sent.
   */
  changedSince?(this: void, record: Seen, values: Values): boolean;
  /**
   * Whether a tool refuses a write if a matching record exists. Users can choose another action with the option If It
   * Already Exists.
   */
  isCheckedInTools?: true;
  /**
   * Returns the latest time at which the service could have created the record, or `undefined` if the record contains
   * no time. Without this function, the node considers only records that weren't in the list before the write, so IDs
   * must be increasing numbers. If the path returns a single record, the node considers only values that changed since
   * the write.
   */
  time?(this: void, record: Seen): DateTime | undefined;
  /**
   * Condition for the record's time in messages, such as "on the same day". Defaults to a difference of two minutes.
   */
  when?: string;
  /** Converts the record to the format of the operation's response, if the formats differ. */
  answer?(this: void, record: Seen): IDataObject;
  /** Returns the summary that the operation's response would produce. */
  summary?(this: void, record: Seen, values: Values): string;
  /** Name of the list in messages: "the transaction report". */
  where: string;
  /** Description of a match in messages: "same transaction, same amount". */
  agreement: string;
  /** Description of a possible match in messages. Defaults to `agreement`. */
  resemblance?: string;
}

/** Returns the period in which a match identifies the write. */
export const lifetimeOf = ({ lifetime }: Footprint, values: WriteValues): Lifetime =>
  typeof lifetime === 'function' ? lifetime(values) : lifetime;

/**
 * Returns whether a record that the execution created or changed belongs to only one write. A record with a fixed path
 * can change many times. If the record contains no time, the node compares the record with its state before the write.
 */
export const isExclusive = ({ list, time }: Footprint): boolean => list.newestBy !== undefined || time !== undefined;

/**
 * Returns whether the node can return an existing record instead of sending a write. The writes must appear in a list
 * and stay identifiable for more than a few minutes.
 */
export const canExist = ({ lifetime, list }: Footprint): boolean =>
  lifetime !== 'minutes' && list.newestBy !== undefined;

/** Returns a value as trimmed text for comparison. */
export const comparableText = (value: unknown): string => asText(value).trim();

/** Returns the date part of a date or timestamp (service.md#values). */
export const dayOf = (value: unknown): string => comparableText(value).slice(0, 10);

/**
 * Returns whether a record's value equals the sent value. If no value was sent, any value matches, because the service
 * sets its own value.
 */
export const isSameWhereSent = (shown: unknown, sent: unknown): boolean =>
  sent === undefined || comparableText(shown) === comparableText(sent);
