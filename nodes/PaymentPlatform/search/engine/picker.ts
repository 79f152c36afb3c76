import type { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { isCurrency } from '../../fields/currencies';
import { instant } from '../../fields/kinds/date';
import { beginning } from './days';
import type { Part } from './line-parts';
import type { Term } from './terms';

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

/** One way of asking the service for records that may be meant. */
export interface Query {
  filter: string[];
  order_on?: string;
  order_by?: 'asc' | 'desc';
  /** Whether a record, and all that come after it, are beyond what is asked for. */
  isBeyond?: (record: IDataObject) => boolean;
}

const anyOf = (fields: string[], term: Term) => fields.map((field) => `${field},CONTAINS,${term.asked}`).join('|');

const HAS_DIGIT = /\d/;

/**
 * How to ask the service for what was typed, so that it finds it among all its records. Each answer holds too much
 * rather than too little: what is in it is compared here once more.
 */
export function queriesFor(terms: Term[], { searched, ownWords }: Picker, now: DateTime): Query[] {
  const plain = terms.filter(({ amount, days }) => !amount && !days);
  const asked = plain.filter(({ text, asked }) => asked !== '' && !ownWords?.has(text) && !isCurrency(text));
  const filter = asked.map((term) => anyOf(searched.words, term));
  const [day] = terms.flatMap(({ days }) => days ?? []);
  const numbers = terms.filter(({ amount }) => amount).sort((a, b) => b.text.length - a.text.length);
  const [number] = numbers;
  const bases =
    day && searched.time
      ? terms.flatMap(({ days }) => days ?? []).map((typed) => onDay(searched.time, beginning(typed, now)))
      : number
        ? numberQueries(number, searched)
        : [{ filter: [] }];
  return bases
    .map((base) => ({ ...base, filter: [...filter, ...base.filter] }))
    .filter(({ filter }) => filter.length > 0);
}

/**
 * The records of a day: those after the day before, the first ones first, until one is of the next day. Only GREATER is
 * shown (service.md#lists), and what it leaves out at the edge is not, hence the day before.
 */
function onDay(time: Picker['searched']['time'], from: DateTime): Query {
  if (!time) return { filter: [] };
  const end = from.plus({ days: 1 });
  const before = from.toUTC().minus({ days: 1 }).toISODate() ?? '';
  return {
    filter: [`${time.field},GREATER,${before}`],
    order_on: time.field,
    order_by: 'asc',
    isBeyond: (record) => {
      const moment = instant(record[time.field], time.zone);
      return moment !== undefined && moment >= end;
    },
  };
}

/** A number is an amount, the last four digits of a card, or a part of a reference, a phone number or an ID. */
function numberQueries(term: Term, { words, amount, card }: Picker['searched']): Query[] {
  const typed = term.amount?.text ?? '';
  const amounts = amount
    ? [
        { filter: [`${amount},IS,${Number(typed)}`] },
        // The same whole units: what is above one cent less, the least first.
        ...(typed.includes('.')
          ? []
          : [{ filter: [`${amount},GREATER,${Number(typed) - 0.01}`], order_on: amount, order_by: 'asc' as const }]),
      ]
    : [];
  const cards = card && /^\d{4}$/.test(term.asked) ? [{ filter: [`${card},CONTAINS,${term.asked}`] }] : [];
  const telling = HAS_DIGIT.test(term.asked) && (term.asked.length > 3 || !amount);
  return [...amounts, ...cards, ...(telling ? [{ filter: [anyOf(words, term)] }] : [])];
}
