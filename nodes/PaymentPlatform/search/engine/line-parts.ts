import type { DateTime } from 'luxon';

import { toCents } from '../../model/read-amounts';
import { isOn } from './days';
import { folded, held, type Hold, type Term } from './terms';

/**
 * Part of the visible or searchable text of an entry. `match` returns a grade for a typed term. The grade 0 is the best
 * match, and `undefined` means no match.
 */
export interface Part {
  /** Visible text of the part. */
  text: string;
  match: (term: Term) => number | undefined;
}

/** Number of characters that the editor always shows in a line (n8n.md#lists-in-the-editor). */
export const LINE = 48;
/** Separator between the parts of a line. */
export const BETWEEN = ' · ';
/** Minimum length of a shortened name. Users can't recognize shorter names. */
const SHORTEST_NAME = 10;

/** Shortens a name so that all parts fit into the line. The search still uses the complete name. */
export function fitted(name: Part, others: Part[]): Part {
  const taken = others
    .filter(({ text }) => text !== '')
    .reduce((sum, { text }) => sum + BETWEEN.length + text.length, 0);
  const most = Math.max(SHORTEST_NAME, LINE - taken);
  return name.text.length <= most ? name : { ...name, text: `${name.text.slice(0, most - 1).trimEnd()}…` };
}

/** Combines an amount with a part of the amount in parentheses. The search matches both amounts. */
export function withPart(whole: Part, part: Part): Part {
  const match = (term: Term) => {
    const grades = [whole.match(term), part.match(term)].filter((grade) => grade !== undefined);
    return grades.length === 0 ? undefined : Math.min(...grades);
  };
  return { text: `${whole.text} (${part.text})`, match };
}

const FOR_WORDS: Record<Hold, number> = { whole: 0, beginning: 1, inside: 3 };
const FOR_NUMBERS: Record<Hold, number> = { whole: 2, beginning: 6, inside: 7 };

/**
 * Minimum number of typed digits for a good match. Fewer digits match many unrelated numbers, such as days or counts.
 */
const TELLING_DIGITS = 4;

const gradeOf = (hold: Hold | undefined, { amount, text }: Term) => {
  if (hold === undefined || (hold === 'inside' && text.length < 2)) return undefined;
  if (!amount) return FOR_WORDS[hold];
  return hold === 'whole' && text.length < TELLING_DIGITS ? FOR_NUMBERS.beginning : FOR_NUMBERS[hold];
};

/**
 * Returns an entry part that contains words.
 * @param more additional words for the search that the list doesn't show.
 */
export function words(text: string, more = ''): Part {
  // Normalizes the text on first use, because a list without a typed text shows many parts but searches none.
  let searched: string | undefined;
  return { text, match: (term) => gradeOf(held((searched ??= folded(`${text} ${more}`)), term.text), term) };
}

/**
 * Returns an entry part that contains an ID. The search matches the complete ID, its beginning and its end, because
 * users rarely know the middle.
 */
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
 * Returns an entry part that contains an amount in the currency's main unit.
 * @param after text after the amount.
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

/**
 * English month names, because the node's texts are in English. Loading locale data would take longer than loading the entries of a picker.
 */
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/**
 * Maximum distance in days between today and a date without a year. At a greater distance, the date in another year
 * could be nearer.
 */
const HALF_A_YEAR = 182;

/**
 * Returns an entry part that contains the day of a time in its own time zone. Adds the year if the day is far from
 * today.
 */
export function day(moment: DateTime, now: DateTime): Part {
  const month = MONTHS[moment.month - 1] ?? '';
  const isNear = Math.abs(moment.diff(now, 'days').days) < HALF_A_YEAR;
  const text = `${moment.day} ${month.slice(0, 3)}${isNear ? '' : ` ${moment.year}`}`;
  const written = words(text, `${month} ${moment.toISODate() ?? ''}`);
  const match = (term: Term) =>
    term.days?.some((typed) => isOn(moment, typed)) ? 0 : term.days ? undefined : written.match(term);
  return { text, match };
}
