import type { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

/** The values of a request that tell one write from another. */
export interface WriteValues {
  path: IDataObject;
  body: IDataObject;
  /** Choices for the node itself. */
  node?: IDataObject;
  /** The record that the write makes another one of, where `madeOf` had it read. */
  source?: IDataObject;
}

/** A filter of a list for one value of a field (service.md#lists). */
export type Filter<Name extends string = string> = `${Name},IS,${string}`;

/** Where a write is seen. */
export interface Listing<Values = WriteValues, Name extends string = string> {
  /** Below the base URL; names of path fields in braces are filled in with the write's own. */
  path: string;
  /** The path, where a person names it. */
  pathOf?(this: void, values: Values): string;
  /** The field that tells two records apart; none of a record that may be of any kind. */
  identity: Name;
  /** The field by which the latest records come first (service.md#lists); none where the path gives one record. */
  newestBy?: Name;
  /** The write removes a record of the list, which is read whole: it is done when none agrees any more. */
  removesRecord?: true;
}

/**
 * For how long what agrees tells a write from others that are meant as well: minutes after it was sent; a day; or at any
 * time, where a reference of the person's own is part of it.
 */
export type Lifetime = 'minutes' | 'day' | 'always';

/**
 * What a write leaves behind at the service, and how it is found there when nobody knows its answer. Everything here is a
 * pure function of what it is given. Who looks compares the time, and counts equal records. `Values` are those of the
 * request, and `Seen` is a record that shows it, both by the interface's own names.
 */
export interface Footprint<Values extends { body: unknown } = WriteValues, Seen = IDataObject> {
  /** The list that shows it, or the record that it changes. */
  list: Listing<Values, keyof Seen & string>;
  /** The filters that leave little else, where one write alone is looked for; none where nothing can be asked for so. */
  filter(this: void, values: Values): Array<Filter<keyof Seen & string>>;
  /** Whether the request names all that has to agree. */
  isIdentifiable(this: void, values: Values): boolean;
  /** The same for all writes that one record can be of, as far as the request alone says so; `mayBe` tells them apart. */
  key(this: void, values: Values): string;
  /** The keys of the writes that can have left the record, where `key` differs between them. */
  keysOf?(this: void, record: Seen): string[];
  lifetime: 'minutes' | ((values: Values) => Lifetime);
  /** The field of the body that carries a reference of the caller's own, where the list shows it. */
  reference?: keyof Values['body'] & string;
  /**
   * The record that the write makes another one of, where the request does not say what that holds. It is read before
   * `agrees` decides, once something may be it; `agrees` and `mayBe` do without it where there is none any more.
   */
  madeOf?: Listing<Values>;
  /** Whether the record says, beyond a doubt about its own fields, that such a write was applied. */
  matches(this: void, record: Seen, values: Values): boolean;
  /**
   * Whether the record may be of such a write, though nobody can say so for sure: it keeps another one from being sent where
   * a person wants that. `agrees` unless given.
   */
  mayMatch?(this: void, record: Seen, values: Values): boolean;
  /** Whether the option Duplicate Check is there as well, which is older than If It Exists Already. */
  hasDuplicateCheck?: true;
  /**
   * The latest moment at which the record can have been made; `undefined` when this one does not say so. None where no
   * record says it: then only what was not there before the write was sent counts, by IDs that are numbers and grow; of the
   * one record that a path gives, what it did not say before.
   */
  time?(this: void, record: Seen): DateTime | undefined;
  /** How close in time it has to be, in words, where that is not within two minutes. */
  when?: string;
  /** The record as the operation's own answer gives it, where that is another one. */
  answer?(this: void, record: Seen): IDataObject;
  /** What was done, as the operation's own answer would have said it. */
  summary?(this: void, record: Seen, values: Values): string;
  /** Where a person finds the list: "the transaction report". */
  where: string;
  /** What had to agree, in words: "same transaction, same amount". */
  agreement: string;
  /** The same of a record that only may be of such a write; `agreement` unless given. */
  resemblance?: string;
}

/** For how long what agrees tells this write from others. */
export const lifetimeOf = ({ lifetime }: Footprint, values: WriteValues): Lifetime =>
  typeof lifetime === 'function' ? lifetime(values) : lifetime;

/**
 * Whether a record that the execution made before is no other write's. One that a path gives can be changed again and again;
 * where no time tells, what it did not say right before the write was sent tells the changes apart.
 */
export const isExclusive = ({ list, time }: Footprint): boolean => list.newestBy !== undefined || time !== undefined;

/** Whether such writes are in a list and can be told from each other after more than some minutes, so that one that exists can be returned. */
export const canExist = ({ lifetime, list }: Footprint): boolean =>
  lifetime !== 'minutes' && list.newestBy !== undefined;
