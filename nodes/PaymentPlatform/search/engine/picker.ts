import type { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { isCurrency } from '../../fields/currencies';
import { instant } from '../../fields/kinds/date';
import type { RecordLink } from '../../model/types';
import { asText, objectsIn } from '../../shared/objects';
import type { WireOperation } from '../../wire/facts';
import { beginning } from './days';
import type { Part } from './line-parts';
import type { Term } from './terms';

/** Entry of a "From List" parameter: the value, the visible text and hidden text for the search. */
export interface ListEntry {
  id: string;
  shown: Part[];
  known: Part[];
  /** Reason, such as "voided", if users can't select the record. The list shows only the number of omitted records. */
  leftOut?: string;
}

export interface View {
  /** In the time zone of the displayed days. */
  now: DateTime;
  linked: (record: IDataObject) => IDataObject[];
  /** Operation that the user selected in the editor. */
  operation: string;
  /** Whether the list contains only the records of another selected record. */
  isWithin: boolean;
}

interface EntryView extends View {
  /** Record that the service returned. Differs from the entry's record if the picker has `each`. */
  owner: IDataObject;
  leftOut?: string;
}

export interface Source {
  operation: WireOperation;
  identity: string;
  /** Filters for every query, in the format `field,CONDITION,value`. */
  filters?: string[];
}

/** Row in the table of lists. */
export interface Picker extends Source {
  /** Plural noun, such as "sales". */
  of: string;
  /** Source of the records of a record that the user selected in another parameter. The default is all records. */
  within?: (context: ILoadOptionsFunctions) => Promise<Partial<Source> | undefined> | Partial<Source> | undefined;
  /** List in each record whose objects are the entries. */
  each?: string;
  /** Field with the value that n8n stores. Defaults to `identity`. */
  stored?: string;
  shown: (record: IDataObject, view: EntryView) => Part[];
  /** Hidden text that the search also matches. */
  known?: (record: IDataObject, view: EntryView) => Part[];
  /** Returns the reason, if users can't select the record. */
  leftOut?: (record: IDataObject, view: View) => string | undefined;
  searched: SearchedFields;
  /** Words in list entries that no field of the record contains, so that the service can't search for them. */
  ownWords?: readonly string[];
  linked?: Omit<RecordLink, 'identity'> & { other?: Source & { isNeeded?: (record: IDataObject) => boolean } };
  /** Suggestion such as "amount, day or ID". */
  add: string;
}

export function entriesOf(picker: Picker, owner: IDataObject, view: View): ListEntry[] {
  const { each, stored = picker.identity, shown, known, leftOut } = picker;
  return (each === undefined ? [owner] : primaryFirst(objectsIn(owner[each]))).map((record) => {
    const seen = { ...view, owner, leftOut: leftOut?.(record, view) };
    return {
      id: asText(record[stored]),
      shown: shown(record, seen),
      known: known?.(record, seen) ?? [],
      leftOut: seen.leftOut,
    };
  });
}

/** Most users want a customer's primary card or address. */
const primaryFirst = (records: IDataObject[]): IDataObject[] =>
  records.toSorted((one, other) => Number(other.primary === true) - Number(one.primary === true));

interface SearchedFields {
  words: string[];
  amount?: string;
  /** Time field that determines the order of the list. `zone` is the time zone of times without an offset. */
  time?: { field: string; zone: string };
  card?: string;
}

export interface Query {
  filter: string[];
  order_on?: string;
  order_by?: 'asc' | 'desc';
  isBeyond?: (record: IDataObject) => boolean;
}

const anyOf = (fields: string[], term: Term) => fields.map((field) => `${field},CONTAINS,${term.asked}`).join('|');

const HAS_DIGIT = /\d/;

/** The service may return records that don't match, so the node compares every record again. */
export function queriesFor(terms: Term[], { searched, ownWords }: Picker, now: DateTime): Query[] {
  const plain = terms.filter(({ amount, days }) => !amount && !days);
  const asked = plain.filter(({ text, asked }) => asked !== '' && !ownWords?.includes(text) && !isCurrency(text));
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
 * Starts one day early, because the service doesn't specify whether the condition GREATER includes the bound
 * (service.md#lists).
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

/** A typed number can be an amount, the last four digits of a card, or part of a reference, phone number or ID. */
function numberQueries(term: Term, { words, amount, card }: Picker['searched']): Query[] {
  const typed = term.amount?.text ?? '';
  const amounts = amount
    ? [
        { filter: [`${amount},IS,${Number(typed)}`] },
        // This query also returns all larger amounts, smallest first.
        ...(typed.includes('.')
          ? []
          : [{ filter: [`${amount},GREATER,${Number(typed) - 0.01}`], order_on: amount, order_by: 'asc' as const }]),
      ]
    : [];
  const cards = card && /^\d{4}$/.test(term.asked) ? [{ filter: [`${card},CONTAINS,${term.asked}`] }] : [];
  const telling = HAS_DIGIT.test(term.asked) && (term.asked.length > 3 || !amount);
  return [...amounts, ...cards, ...(telling ? [{ filter: [anyOf(words, term)] }] : [])];
}
