import type { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { instant } from '../../fields/kinds/date';
import { isCurrency } from '../../fields/currency-letters';
import { beginning } from './days';
import type { Picker } from './picker';
import type { Term } from './terms';

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
