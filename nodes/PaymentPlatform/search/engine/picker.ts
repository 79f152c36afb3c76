import type { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import type { Part } from './line-parts';

/** One entry of a list: what is picked, what a person reads, and by what else it is found. */
export interface ListEntry {
  id: string;
  /** In the order in which they are read. Those without text are left out. */
  shown: Part[];
  known: Part[];
  /** Why it can't be picked, e.g. "voided": it is counted and left out. */
  leftOut?: string;
}

/** What the entries of a record depend on besides the record. */
export interface View {
  /** In the time zone in which days are shown and meant. */
  now: DateTime;
  /** The records that belong to this one (see `Picker.linked`), as far as they were read. */
  linked: (record: IDataObject) => IDataObject[];
}

/**
 * A list behind "From List". A new one is a declaration of this kind: where its records are, by which of their fields the
 * service finds them, and what a person reads of each. Everything else is the same for all lists.
 */
export interface Picker {
  /** What the records are called, e.g. "sales". */
  of: string;
  path: string;
  /** The field that tells the records apart. */
  identity: string;
  /** Filters that always hold, each `field,CONDITION,value`. */
  filters?: (context: ILoadOptionsFunctions) => string[];
  /** The fields in which the service is asked for what was typed. */
  searched: SearchedFields;
  /** Words that entries show and no field of the record holds, folded: the service is not asked for them. */
  ownWords?: ReadonlySet<string>;
  /**
   * Records that belong to others: the field that holds the other one's, and that one's field. They are of the same list, or
   * of `other`: records for which `isNeeded` are read with them before they are compared with what was typed.
   */
  linked?: {
    by: string;
    to: string;
    other?: Pick<Picker, 'path' | 'identity'> & { isNeeded: (record: IDataObject) => boolean };
  };
  /** The entries of a record. */
  entries: (record: IDataObject, view: View) => ListEntry[];
  /** What a person adds to find what is not found, e.g. "amount, day or ID". */
  add: string;
}

export interface SearchedFields {
  words: string[];
  amount?: string;
  /** The moment of the record, by which the list is sorted; zone: that of a time without an offset. */
  time?: { field: string; zone: string };
  /** A masked card number. */
  card?: string;
}
