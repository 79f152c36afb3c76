import type { DateTime } from 'luxon';

import { toCents } from '../../shared/digits';
import { isOn } from './days';
import { folded, held, type Hold, type Term } from './terms';

/**
 * One part of what an entry shows, or is found by. `match` says how well it holds what was typed: 0 is best, `undefined`
 * is not at all.
 *
 * | Typed  | 0                | 1                   | 2                | 3                 | 4           | 5           | 6               | 7      |
 * | ------ | ---------------- | ------------------- | ---------------- | ----------------- | ----------- | ----------- | --------------- | ------ |
 * | word   | the whole word   | begins a word       |                  | inside a word     |             |             |                 |        |
 * | number | the whole amount | the amount's units  | the whole number | begins the amount | in the units | in the cents | begins a number | inside |
 */
export interface Part {
  /** What a person reads. */
  text: string;
  match: (term: Term) => number | undefined;
}

/** Characters of a line that the editor shows at least (n8n.md#lists-in-the-editor). */
export const LINE = 48;
/** What stands between two parts of a line. */
export const BETWEEN = ' · ';
/** A shorter name tells nothing. */
const SHORTEST_NAME = 10;

/** Cuts a name so that the other parts still fit into the line; the whole name is searched. */
export function fitted(name: Part, others: Part[]): Part {
  const taken = others
    .filter(({ text }) => text !== '')
    .reduce((sum, { text }) => sum + BETWEEN.length + text.length, 0);
  const most = Math.max(SHORTEST_NAME, LINE - taken);
  return name.text.length <= most ? name : { ...name, text: `${name.text.slice(0, most - 1).trimEnd()}…` };
}

/** An amount with a part of it in brackets; what was typed is found in either. */
export function withPart(whole: Part, part: Part): Part {
  const match = (term: Term) => {
    const grades = [whole.match(term), part.match(term)].filter((grade) => grade !== undefined);
    return grades.length === 0 ? undefined : Math.min(...grades);
  };
  return { text: `${whole.text} (${part.text})`, match };
}

const FOR_WORDS: Record<Hold, number> = { whole: 0, beginning: 1, inside: 3 };
const FOR_NUMBERS: Record<Hold, number> = { whole: 2, beginning: 6, inside: 7 };

/** Fewer digits that stand alone say nothing: a day of the month, a count. */
const TELLING_DIGITS = 4;

const gradeOf = (hold: Hold | undefined, { amount, text }: Term) => {
  if (hold === undefined || (hold === 'inside' && text.length < 2)) return undefined;
  if (!amount) return FOR_WORDS[hold];
  return hold === 'whole' && text.length < TELLING_DIGITS ? FOR_NUMBERS.beginning : FOR_NUMBERS[hold];
};

/** Words as they are; with more words by which they are found. */
export function words(text: string, more = ''): Part {
  // Made when it is asked for: a list without text shows many parts and searches none.
  let searched: string | undefined;
  return { text, match: (term) => gradeOf(held((searched ??= folded(`${text} ${more}`)), term.text), term) };
}

/** An ID: nobody knows the middle of one, so it is found as a whole, by its beginning and by its end. */
export function id(text: string): Part {
  const searched = folded(text);
  const holds = ({ text: typed }: Term): Hold | undefined => {
    if (typed === searched) return 'whole';
    const telling = typed.length >= TELLING_DIGITS;
    return telling && (searched.startsWith(typed) || searched.endsWith(typed)) ? 'beginning' : undefined;
  };
  return { text, match: (term) => gradeOf(holds(term), term) };
}

/**
 * An amount in the currency's main unit.
 * @param after words behind it
 */
export function money(amount: number, after: string): Part {
  const cents = Math.abs(toCents(amount));
  const written = (cents / 100).toFixed(2);
  const behind = words(after);
  const match = (term: Term) => (term.amount ? amountGrade(cents, written, term.amount.text) : behind.match(term));
  return { text: `${amount < 0 ? '-' : ''}${written} ${after}`.trim(), match };
}

function amountGrade(cents: number, written: string, typed: string): number | undefined {
  const [units = ''] = written.split('.');
  if (toCents(Number(typed)) === cents) return 0;
  if (typed === units || (typed.includes('.') && written.startsWith(typed))) return 1;
  if (units.startsWith(typed)) return 3;
  if (units.includes(typed)) return 4;
  return written.includes(typed) ? 5 : undefined;
}

/** In English, like all of the node; the rules of a locale would take longer to load than a list. */
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** Within so many days of today a day is meant by its month alone: no other year has one that is as near. */
const HALF_A_YEAR = 182;

/** A day, in the time zone of the moment; with its year where it is far from today. */
export function day(moment: DateTime, now: DateTime): Part {
  const month = MONTHS[moment.month - 1] ?? '';
  const isNear = Math.abs(moment.diff(now, 'days').days) < HALF_A_YEAR;
  const text = `${moment.day} ${month.slice(0, 3)}${isNear ? '' : ` ${moment.year}`}`;
  const written = words(text, `${month} ${moment.toISODate() ?? ''}`);
  const match = (term: Term) =>
    term.days?.some((typed) => isOn(moment, typed)) ? 0 : term.days ? undefined : written.match(term);
  return { text, match };
}
