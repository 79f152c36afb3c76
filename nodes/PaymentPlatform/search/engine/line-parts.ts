import type { DateTime } from 'luxon';

import { cut, toCents } from '../../shared/objects';
import { isOn } from './days';
import { folded, held, type Hold, type Term } from './terms';

/** `match` returns 0 for the best match and `undefined` for no match. */
export interface Part {
  text: string;
  match: (term: Term) => number | undefined;
}

/** n8n's editor always shows these characters (n8n.md#lists-in-the-editor). */
export const LINE = 48;
export const BETWEEN = ' · ';
/** Users can't recognize shorter names. */
const SHORTEST_NAME = 10;

/** Shortens a name to fit on one line. The search still uses the complete name. */
export function fitted(name: Part, others: Part[]): Part {
  const taken = others
    .filter(({ text }) => text !== '')
    .reduce((sum, { text }) => sum + BETWEEN.length + text.length, 0);
  const most = Math.max(SHORTEST_NAME, LINE - taken);
  return name.text.length <= most ? name : { ...name, text: `${cut(name.text, most - 1).trimEnd()}…` };
}

/** Adds a second amount in parentheses. The search matches both amounts. */
export function withPart(whole: Part, part: Part): Part {
  const match = (term: Term) => {
    const grades = [whole.match(term), part.match(term)].filter((grade) => grade !== undefined);
    return grades.length === 0 ? undefined : Math.min(...grades);
  };
  return { text: `${whole.text} (${part.text})`, match };
}

const FOR_WORDS: Record<Hold, number> = { whole: 0, beginning: 1, inside: 3 };
const FOR_NUMBERS: Record<Hold, number> = { whole: 2, beginning: 6, inside: 7 };

/** Fewer typed digits match many unrelated numbers, such as days or counts. */
const TELLING_DIGITS = 4;

const gradeOf = (hold: Hold | undefined, { amount, text }: Term) => {
  if (hold === undefined || (hold === 'inside' && text.length < 2)) return undefined;
  if (!amount) return FOR_WORDS[hold];
  return hold === 'whole' && text.length < TELLING_DIGITS ? FOR_NUMBERS.beginning : FOR_NUMBERS[hold];
};

/** @param more hidden words that the search also matches. */
export function words(text: string, more = ''): Part {
  // Most lists are never searched, so only a search normalizes the text.
  let searched: string | undefined;
  return { text, match: (term) => gradeOf(held((searched ??= folded(`${text} ${more}`)), term.text), term) };
}

/** The search matches the beginning and the end of an ID, because users rarely know its middle. */
export function id(text: string): Part {
  const searched = folded(text);
  const holds = ({ text: typed }: Term): Hold | undefined => {
    if (typed === searched) return 'whole';
    const telling = typed.length >= TELLING_DIGITS;
    return telling && (searched.startsWith(typed) || searched.endsWith(typed)) ? 'beginning' : undefined;
  };
  return { text, match: (term) => gradeOf(holds(term), term) };
}

/** Shows an amount in the currency's main unit. */
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

/** Loading locale data would take longer than loading the list itself. */
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** Days from today within which a date needs no year. */
const HALF_A_YEAR = 182;

/** Shows the year if the day is far from today. */
export function day(moment: DateTime, now: DateTime): Part {
  const month = MONTHS[moment.month - 1] ?? '';
  const isNear = Math.abs(moment.diff(now, 'days').days) < HALF_A_YEAR;
  const text = `${moment.day} ${month.slice(0, 3)}${isNear ? '' : ` ${moment.year}`}`;
  const written = words(text, `${month} ${moment.toISODate() ?? ''}`);
  const match = (term: Term) =>
    term.days?.some((typed) => isOn(moment, typed)) ? 0 : term.days ? undefined : written.match(term);
  return { text, match };
}
