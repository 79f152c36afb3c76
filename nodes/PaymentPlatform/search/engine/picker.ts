import type { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { isCurrency } from '../../fields/currencies';
import { instant } from '../../fields/kinds/date';
import { beginning } from './days';
import type { Part } from './line-parts';
import type { Term } from './terms';

/** Entry of a list, with the value to select, the visible text and additional text for the search. */
export interface ListEntry {
  id: string;
  /** Visible parts in order. The list omits parts without text. */
  shown: Part[];
  known: Part[];
  /** Reason why users can't select the entry, such as "voided". The list shows only the number of omitted entries. */
  leftOut?: string;
}

/** Context for creating the entries of a record. */
export interface View {
  /** Current time in the time zone of the days. */
  now: DateTime;
  /** Returns the linked records (`Picker.linked`) that the node has read for a record. */
  linked: (record: IDataObject) => IDataObject[];
}

/**
 * Declaration of a list for "From List". The declaration contains the path of the records, the fields that the service
 * searches, and a function that creates entries. All lists share the remaining code.
 */
export interface Picker {
  /** Plural name of the records, such as "sales". */
  of: string;
  path: string;
  /** Field that identifies a record. */
  identity: string;
  /** Filters that apply to every query. Each filter has the format `field,CONDITION,value`. */
  filters?: (context: ILoadOptionsFunctions) => string[];
  /** Fields in which the service searches for the typed text. */
  searched: SearchedFields;
  /**
   * Normalized words that entries show but no field of the record contains. The node excludes these words from queries
   * to the service.
   */
  ownWords?: ReadonlySet<string>;
  /**
   * Links between records. The field `by` of a linked record contains the value of the field `to` of the main record.
   * Linked records come from the main list or from the list `other`. The node reads records from `other` before the
   * search if `isNeeded` returns true for the main record.
   */
  linked?: {
    by: string;
    to: string;
    other?: Pick<Picker, 'path' | 'identity'> & { isNeeded: (record: IDataObject) => boolean };
  };
  /** Creates the entries of a record. */
  entries: (record: IDataObject, view: View) => ListEntry[];
  /** Suggestion for a more specific search if a user can't find the record, such as "amount, day or ID". */
  add: string;
}

interface SearchedFields {
  words: string[];
  amount?: string;
  /**
   * Field with the time of the record, which determines the order of the list. `zone` is the time zone of times without
   * an offset.
   */
  time?: { field: string; zone: string };
  /** Field with the masked card number. */
  card?: string;
}

/** Query for records that could match the typed text. */
export interface Query {
  filter: string[];
  order_on?: string;
  order_by?: 'asc' | 'desc';
  /** Returns whether a record and all later records are outside the range of the query. */
  isBeyond?: (record: IDataObject) => boolean;
}

const anyOf = (fields: string[], term: Term) => fields.map((field) => `${field},CONTAINS,${term.asked}`).join('|');

const HAS_DIGIT = /\d/;

/**
 * Returns queries that let the service find the typed text among all records. The results may include records that
 * don't match, so the node compares every record again.
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
 * Returns a query for the records of a day. The query sorts records by time, starts one day early, and ends at the
 * first record of the next day. The documentation contains only the condition GREATER (service.md#lists) and doesn't
 * specify whether the condition includes the bound.
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

/**
 * Returns queries for a number. The number can be an amount, the last four digits of a card, or a part of a reference,
 * phone number or ID.
 */
function numberQueries(term: Term, { words, amount, card }: Picker['searched']): Query[] {
  const typed = term.amount?.text ?? '';
  const amounts = amount
    ? [
        { filter: [`${amount},IS,${Number(typed)}`] },
        // Finds amounts with an equal whole number of units. The query also returns all larger amounts, beginning with
        // the smallest amount.
        ...(typed.includes('.')
          ? []
          : [{ filter: [`${amount},GREATER,${Number(typed) - 0.01}`], order_on: amount, order_by: 'asc' as const }]),
      ]
    : [];
  const cards = card && /^\d{4}$/.test(term.asked) ? [{ filter: [`${card},CONTAINS,${term.asked}`] }] : [];
  const telling = HAS_DIGIT.test(term.asked) && (term.asked.length > 3 || !amount);
  return [...amounts, ...cards, ...(telling ? [{ filter: [anyOf(words, term)] }] : [])];
}
