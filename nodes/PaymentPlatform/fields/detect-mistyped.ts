import { maskLongNumbers } from '../shared/privacy';

/** What is wrong with text that is no plain number, and the plain numbers that it can mean. */
interface Reading {
  wrong: string[];
  meant: string[];
}

const NOTHING: Reading = { wrong: [], meant: [] };

/** Text that a person took for a number is short; no other is looked at. */
const LONGEST = 40;
const EXPONENT = /^[+-]?\d+([.,]\d+)?e[+-]?\d{1,2}$/i;
/** A number with a currency or a percent sign before or behind it: $5, -€ 5, 5 USD, Rs. 5, 8.25 %. */
const DRESSED =
  /^(?<sign>[+-]?)(?<before>(?:[\p{L}\p{Sc}]{1,5}\.?)?) ?(?<inner>[+-]?)(?<number>[.,]?\d(?:[\d.,' _]*\d)?) ?(?<after>[\p{L}\p{Sc}]{0,5}|%)$/u;
/** As prices without decimals are written: 25,- or 25.-- */
const NO_DECIMALS = /(?<=\d)([.,])-{1,2}(?=$| ?[\p{L}\p{Sc}])/u;
const GROUPED_BY_SIGN = /^\d{1,3}([ '_])\d{3}(?:\1\d{3})*(?=$|[.,])/;
const GROUPED_BY_POINT = /^\d{1,3}(?:\.\d{3})+(?=$|,)/;
const GROUPED_BY_COMMA = /^\d{1,3}(?:,\d{3})+(?=$|\.)/;

/** One point and three digits behind it, the last one a zero: 1.000 is one to some people and a thousand to others. */
const POINT_AND_THREE_DIGITS = /^[+-]?[1-9]\d{0,2}\.\d\d0$/;

/**
 * Whether text writes one number to some people and another to others, such as "1.000". A field that takes three decimals
 * or more reads the point as a decimal point.
 */
export const hasTwoReadings = (value: unknown, decimals: number): boolean =>
  typeof value === 'string' && decimals < 3 && POINT_AND_THREE_DIGITS.test(value.trim());

/** What a field takes. */
interface Wanted {
  /** Whether a plain number is one that the field takes; nothing else is proposed. */
  fits: (plain: string) => boolean;
  /** How many at most. */
  decimals: number;
  /** An amount of money: what is a percentage then is none, whatever its number. */
  money?: boolean;
}

/**
 * What to type instead of text that is no plain number, in a sentence that goes on after the label, or `undefined` when
 * nobody can say: "100,50" is 100.50, and "1,000" can be two numbers. The node never takes such text: a guess of a
 * machine is no amount.
 * @param value what was found.
 */
export function whatToType(value: unknown, { fits, decimals, money = false }: Wanted): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST || (money && value.includes('%'))) return undefined;
  const { wrong, meant } = readingOf(value.trim());
  // What is long enough to be a card or an account is not repeated in a message, unless all of it is shown anyway.
  const isShown = (text: string) => maskLongNumbers(text) === text;
  const proposed = [...new Set(meant.map((plain) => shortened(plain, decimals)))].filter(
    (plain) => fits(plain) && (isShown(value) || isShown(plain)),
  );
  if (proposed.length === 0 || wrong.length === 0) return undefined;
  return proposed.length > 1
    ? `can be read in two ways: write ${proposed.join(' or ')}`
    : `must be written ${wrong.join(', ')}: did you mean ${proposed.join()}?`;
}

/** Digits, spaces, dashes and apostrophes of other scripts and keyboards as the usual ones. */
const withUsualSigns = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\u2019/g, "'");

function readingOf(written: string): Reading {
  // A small 2 is a power or a footnote.
  if (/\p{No}/u.test(written)) return NOTHING;
  const usual = withUsualSigns(written);
  const text = usual.replace(NO_DECIMALS, (_, point: string) => `${point}00`);
  if (EXPONENT.test(text)) return { wrong: ['without an exponent'], meant: [String(Number(text.replace(',', '.')))] };
  const { sign = '', before = '', inner = '', number = '', after = '' } = DRESSED.exec(text)?.groups ?? {};
  const { wrong, meant } = plainOf(number);
  const currency = (before + after).replace('%', '') !== '';
  return {
    wrong: [
      ...(currency ? ['without a currency'] : []),
      ...(after === '%' ? ['without the percent sign'] : []),
      ...(text === usual ? [] : ['without a dash']),
      ...(/[^\d\p{L}\p{Sc}\s%.,'_+-]/u.test(written) ? ['with the usual digits and signs'] : []),
      ...wrong,
    ],
    meant: meant.map((plain) => `${sign || inner}${plain}`),
  };
}

const NO_GROUPS = 'without anything between its thousands';
const POINT = 'with a point before its decimals';

/** Digits with points, commas and spaces among them. */
function plainOf(number: string): Reading {
  const [groups] = GROUPED_BY_SIGN.exec(number) ?? GROUPED_BY_POINT.exec(number) ?? GROUPED_BY_COMMA.exec(number) ?? [];
  const whole = groups?.replace(/\D/g, '') ?? '';
  const rest = number.slice(groups?.length ?? 0);
  if (groups !== undefined && rest === '') {
    // A third decimal that counts makes it no amount, and hardly ever a number of thousands.
    if (/^\d+\.\d\d[1-9]$/.test(groups)) return { wrong: [], meant: [groups] };
    // One point or comma and three digits can be thousands or decimals.
    const decimal = /^\d+[.,]\d{3}$/.test(groups) ? [groups.replace(',', '.')] : [];
    return groups.startsWith('0')
      ? { wrong: groups.includes(',') ? [POINT] : [], meant: decimal }
      : { wrong: [NO_GROUPS], meant: [whole, ...decimal] };
  }
  if (groups !== undefined && /^[.,]\d+$/.test(rest))
    return {
      wrong: [NO_GROUPS, ...(rest.startsWith(',') ? [POINT] : [])],
      meant: [`${whole}${rest.replace(',', '.')}`],
    };
  const plain = number.replace(',', '.');
  if (/^\.\d+$/.test(plain)) return { wrong: ['with a digit before its point'], meant: [`0${plain}`] };
  if (!/^\d+(\.\d+)?$/.test(plain)) return NOTHING;
  return { wrong: number.includes(',') ? [POINT] : [], meant: [plain] };
}

/** Without zeros that say nothing: 1.500 is 1.50 where two decimals are usual. */
const shortened = (plain: string, decimals: number): string => {
  const [whole = '', fraction = ''] = plain.split('.');
  const needed = fraction.slice(0, decimals) + fraction.slice(decimals).replace(/0+$/, '');
  return needed === '' ? whole : `${whole}.${needed}`;
};

/** What is allowed where a number has lost digits. */
export const GIVE_AS_TEXT =
  'must be given as text: it is too long for a number, and a spreadsheet has rounded it. Format the column as text before the value is entered; in JSON and expressions write the value in quotes';

/** How a spreadsheet shows, and exports, a number that is too long for it: 4.26352E+17. */
const ROUNDED_BY_SHEETS = /^\d+([.,]\d+)?E\+\d+$/i;

/**
 * Whether a value that is meant as text, such as an ID, came as a number that can have lost digits: a number beyond
 * 2^53 - 1, where not every whole number exists (426351789012345678 becomes ...660), or the text of one with exponent.
 * What is no number at all (NaN) counts as well.
 */
export function isRounded(value: unknown): boolean {
  if (typeof value === 'number') return !(Math.abs(value) <= Number.MAX_SAFE_INTEGER);
  return typeof value === 'string' && ROUNDED_BY_SHEETS.test(value.trim());
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
