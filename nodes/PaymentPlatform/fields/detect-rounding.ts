import { maskLongNumbers } from '../shared/privacy';

/** What is allowed where a number has lost digits. */
export const GIVE_AS_TEXT =
  'must be given as text: it is too long for a number, and a spreadsheet has rounded it. Format the column as text before the value is entered; in JSON and expressions write the value in quotes';

/** How a spreadsheet shows, and exports, a number that is too long for it: 4.26352E+17. */
const EXPONENT = /^\d+([.,]\d+)?E\+\d+$/i;

/**
 * Whether a value that is meant as text, such as an ID, came as a number that can have lost digits: a number beyond
 * 2^53 - 1, where not every whole number exists (426351789012345678 becomes ...660), or the text of one with exponent.
 * What is no number at all (NaN) counts as well.
 */
export function isRounded(value: unknown): boolean {
  if (typeof value === 'number') return !(Math.abs(value) <= Number.MAX_SAFE_INTEGER);
  return typeof value === 'string' && EXPONENT.test(value.trim());
}

const NO_NUMBER = 'must be a number: this is none that JSON can carry';

/** A number of an object that can't be sent as it was meant. */
export interface LostNumber {
  /** Where it stands, after the label of the field: ` > lines 2 > id`. */
  place: string;
  /** What was found, long numbers masked. */
  found: string;
  allowed: string;
}

/** The first number in an object, at any depth, that has lost digits (see `isRounded`) or is none (NaN). */
export function lostNumberIn(root: unknown): LostNumber | undefined {
  const seen = new Set<unknown>();
  const open: Array<{ value: unknown; place: string }> = [{ value: root, place: '' }];
  // A list of what is left, not a call for each level: text can be nested deeper than calls can.
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, place } = next;
    const allowed = allowedInstead(value);
    if (allowed !== undefined) return { place, found: maskLongNumbers(String(value)), allowed };
    // What says itself how it looks in JSON, such as a date, is no matter of numbers.
    if (typeof value !== 'object' || value === null || 'toJSON' in value || seen.has(value)) continue;
    seen.add(value);
    const inner: Array<[string, unknown]> = Object.entries(value);
    for (const [name, one] of inner.reverse()) open.push({ value: one, place: placeOf(value, place, name) });
  }
  return undefined;
}

function allowedInstead(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return NO_NUMBER;
  return typeof value === 'bigint' || (typeof value === 'number' && isRounded(value)) ? GIVE_AS_TEXT : undefined;
}

const placeOf = (parent: object, place: string, name: string) =>
  Array.isArray(parent) ? `${place} ${Number(name) + 1}` : `${place} > ${maskLongNumbers(name).slice(0, 60)}`;

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
/** A double has 17 digits at most that mean anything; some programs print all of them. */
const MOST_DIGITS = 17;

/**
 * The first number in JSON text that the parser changes without a word: it has more digits than a number keeps. A whole
 * number is none: it is read as text (`exactJson`).
 * @param json valid JSON
 */
export function alteredNumberIn(json: string): LostNumber | undefined {
  const altered = json.match(STRING_OR_NUMBER)?.find((token) => !token.startsWith('"') && isAltered(token));
  return altered === undefined ? undefined : { place: '', found: maskLongNumbers(altered), allowed: GIVE_AS_TEXT };
}

function isAltered(token: string): boolean {
  if (/^-?\d+$/.test(token)) return false;
  const written = significantDigits(token);
  const kept = Number(token).toPrecision(Math.min(MOST_DIGITS, Math.max(1, written.length)));
  return isRounded(Number(token)) || significantDigits(kept) !== written;
}

const significantDigits = (number: string) =>
  (number.toLowerCase().split('e')[0] ?? '').replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
