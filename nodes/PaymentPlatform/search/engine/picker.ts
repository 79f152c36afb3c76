import type { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { isCurrency } from '../../fields/currencies';
import { instant } from '../../fields/kinds/date';
import { beginning } from './days';
import type { Part } from './line-parts';
import type { Term } from './terms';

/** Entry of a list: the value to select, the visible text, and further texts for the search. */
export interface ListEntry {
  id: string;
  /** Visible parts in order. Parts without text are left out. */
  shown: Part[];
  known: Part[];
  /** Reason why the entry can't be selected, e.g. "voided". The entry is counted and left out. */
  leftOut?: string;
}

/** Inputs for the entries of a record besides the record. */
export interface View {
  /** Current time in the time zone for days. */
  now: DateTime;
  /** Returns the records that belong to a record (see `Picker.linked`), if the node has read them. */
  linked: (record: IDataObject) => IDataObject[];
}

/**
 * Declaration of a list behind "From List": the path of its records, the fields that the service searches, and the text
 * of its entries. All lists share the other code.
 */
export interface Picker {
  /** Plural of the records' name, e.g. "sales". */
  of: string;
  path: string;
  /** Field that distinguishes the records. */
  identity: string;
  /** Filters that always apply, each as `field,CONDITION,value`. */
  filters?: (context: ILoadOptionsFunctions) => string[];
  /** Fields in which the service searches for the typed text. */
  searched: SearchedFields;
  /**
   * Normalized words of the entries that no field of the record contains. The node doesn't search for these words at
   * the service.
   */
  ownWords?: ReadonlySet<string>;
  /**
   * Records that belong to other records: `by` is their field with the other record's ID, and `to` is that record's
   * field. They come from the same list or from `other`. Before the search, the node reads those for which `isNeeded`
   * is true.
   */
  linked?: {
    by: string;
    to: string;
    other?: Pick<Picker, 'path' | 'identity'> & { isNeeded: (record: IDataObject) => boolean };
  };
  /** Returns the entries of a record. */
  entries: (record: IDataObject, view: View) => ListEntry[];
  /** Suggestion for text to add if the record isn't found, e.g. "amount, day or ID". */
  add: string;
}

interface SearchedFields {
  words: string[];
  amount?: string;
  /** Time of the record. The list is sorted by this field. `zone` applies to times without an offset. */
  time?: { field: string; zone: string };
  /** Masked card number. */
  card?: string;
}

/** Query for records that could match. */
export interface Query {
  filter: string[];
  order_on?: string;
  order_by?: 'asc' | 'desc';
  /** Returns whether a record and all later ones are outside the query. */
  isBeyond?: (record: IDataObject) => boolean;
}

const anyOf = (fields: string[], term: Term) => fields.map((field) => `${field},CONTAINS,${term.asked}`).join('|');

const HAS_DIGIT = /\d/;

/**
 * Returns queries with which the service finds the typed text among all records. The results may contain too much,
 * because the node compares every record again.
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
 * Returns a query for the records of a day, in ascending order from the day before until the first record of the next
 * day. The documentation shows only the condition GREATER (service.md#lists) and not whether it includes the bound, so
 * the query starts a day earlier.
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
 * Returns queries for a number, which can be an amount, the last four digits of a card, or a part of a reference, phone
 * number or ID.
 */
function numberQueries(term: Term, { words, amount, card }: Picker['searched']): Query[] {
  const typed = term.amount?.text ?? '';
  const amounts = amount
    ? [
        { filter: [`${amount},IS,${Number(typed)}`] },
        // Finds amounts with the same whole units. The filter returns all amounts from that value, lowest first.
        ...(typed.includes('.')
          ? []
          : [{ filter: [`${amount},GREATER,${Number(typed) - 0.01}`], order_on: amount, order_by: 'asc' as const }]),
      ]
    : [];
  const cards = card && /^\d{4}$/.test(term.asked) ? [{ filter: [`${card},CONTAINS,${term.asked}`] }] : [];
  const telling = HAS_DIGIT.test(term.asked) && (term.asked.length > 3 || !amount);
  return [...amounts, ...cards, ...(telling ? [{ filter: [anyOf(words, term)] }] : [])];
}
