import { maskLongNumbers } from '../../shared/privacy';
import { withBounds } from '../bounds';
import { whatToType } from '../detect-mistyped';
import type { FieldOptions, ValueField } from '../types';
import { valueField } from '../value';

interface AmountOptions extends FieldOptions {
  type?: 'decimal';
  /** Whether 0 is allowed. Otherwise the least amount is 0.01. */
  zero?: boolean;
  /** Least amount in the currency's main unit. Negative if the interface accepts amounts that are returned. */
  least?: number;
  /** Maximum number of decimals. Defaults to 2. */
  decimals?: number;
  /** Maximum number of digits before and after the decimal point. Defaults to no limit but the bounds. */
  digits?: number;
  /** Greatest amount. Defaults to 9999999999.99 (openapi.yaml#AmountInput). */
  most?: number;
}

/** An amount of 0 is usually a mistake. */
const LEAST_AMOUNT = 0.01;
/** Maximum error of a difference of two amounts, such as 1000000.10 - 1000000. */
const LEAST_NOISE = 1e-9;
/** Maximum relative error of a sum of many amounts: 64 units in the last place. */
const RELATIVE_NOISE = 2 ** -46;
/** Maximum length of a number. Longer text was pasted by mistake and isn't analyzed. */
const LONGEST_TEXT = 400;

/**
 * Returns the maximum error of a number that results from additions and subtractions. The error is always smaller than
 * a digit two decimal places further.
 */
const noise = (number: number, decimals: number) =>
  Math.min(Math.max(LEAST_NOISE, Math.abs(number) * RELATIVE_NOISE), 10 ** -(decimals + 3));

/**
 * Returns the decimal that a number or text means, with at most `decimals` decimals, or `undefined`. 0.1 + 0.2 is 0.3,
 * but 10.005 and 9999999999.991 are refused for two decimals and never rounded. Text is taken literally, so the text
 * 10.000000001 is refused, too.
 */
export function exactDecimal(value: unknown, decimals: number): number | undefined {
  if (typeof value === 'string') return ofText(value.trim(), decimals);
  if (typeof value !== 'number') return undefined;
  // Adding 0 turns -0 into 0.
  const rounded = Number(value.toFixed(decimals)) + 0;
  return Math.abs(value - rounded) <= noise(value, decimals) ? rounded : undefined;
}

/** Returns the number in a text, or `undefined` if a JavaScript number can't represent every digit. */
function ofText(text: string, decimals: number): number | undefined {
  if (text.length > LONGEST_TEXT || !new RegExp(`^[+-]?\\d+(\\.\\d{0,${decimals}}0*)?$`).test(text)) return undefined;
  const number = Number(text) + 0;
  return digitsIn(number.toFixed(decimals)) === digitsIn(text) ? number : undefined;
}

/** Returns the significant digits, without sign and without leading and trailing zeros. */
function digitsIn(text: string): string {
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.');
  return `${whole.replace(/^0+/, '')}.${fraction.replace(/0+$/, '')}`;
}

/** Returns the number of digits of a decimal. */
const digitCount = (decimal: number, decimals: number): number =>
  digitsIn(Math.abs(decimal).toFixed(decimals)).replace('.', '').length;

/**
 * A point followed by three digits that end in zero. Some people read 1.000 as one, and others read it as a thousand.
 */
const POINT_AND_THREE_DIGITS = /^[+-]?[1-9]\d{0,2}\.\d\d0$/;

/**
 * Returns whether people read the text as different numbers, such as "1.000". A field with three or more decimals
 * always reads the point as a decimal point.
 */
export const hasTwoReadings = (value: unknown, decimals: number): boolean =>
  typeof value === 'string' && decimals < 3 && POINT_AND_THREE_DIGITS.test(value.trim());

/** Error message for a number that has lost digits. */
export const GIVE_AS_TEXT =
  'must be text, because programs round a number of this length. In a spreadsheet, format the column as text before you enter the value. In JSON and expressions, put the value in quotes';

/** Notation in which spreadsheets export numbers that are too long for them: 4.26352E+17. */
const ROUNDED_BY_SHEETS = /^\d+([.,]\d+)?E\+\d+$/i;

/**
 * Returns whether a text value, such as an ID, was given as a number that can have lost digits. These are numbers
 * beyond 2^53 - 1 (426351789012345678 becomes ...660), text with an exponent, and NaN.
 */
export function isRounded(value: unknown): boolean {
  if (typeof value === 'number') return !(Math.abs(value) <= Number.MAX_SAFE_INTEGER);
  return typeof value === 'string' && ROUNDED_BY_SHEETS.test(value.trim());
}

const NO_NUMBER = 'must be a number that JSON can represent';

/** Number in an object that can't be sent as it was meant. */
export interface LostNumber {
  /** Position after the label of the field: ` > lines 2 > id`. */
  place: string;
  /** Description of the number, with long numbers masked. */
  found: string;
  allowed: string;
}

/** Returns the first number at any depth of an object that has lost digits (see `isRounded`) or is NaN. */
export function lostNumberIn(root: unknown): LostNumber | undefined {
  const seen = new Set<unknown>();
  const open: Array<{ value: unknown; place: string }> = [{ value: root, place: '' }];
  // Uses a list instead of recursion, because JSON text can be nested deeper than function calls.
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, place } = next;
    const allowed = allowedInstead(value);
    if (allowed !== undefined) return { place, found: maskLongNumbers(String(value)), allowed };
    // An object with `toJSON`, such as a date, defines its own JSON.
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
/** A double has at most 17 significant digits, and some programs print all of them. */
const MOST_DIGITS = 17;

/**
 * Returns the first number in JSON text that the parser changes silently because it has too many digits. Whole numbers
 * are excluded, because `exactJson` reads them as text.
 * @param json valid JSON.
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

/**
 * Parameter for a number: a text box, because n8n's number box silently drops a comma and turns 100,50 into 10050.
 * Numbers in workflows and from expressions arrive unchanged.
 */
export const numberBox = ({ default: own = '' }: FieldOptions) => ({
  type: 'string' as const,
  default: typeof own === 'number' ? String(own) : own,
});

/** Amount of money as a decimal in the currency's main unit (12.50, never cents). */
export function amount(options: AmountOptions): ValueField {
  const { most = 9_999_999_999.99, decimals = 2, digits = Infinity } = options;
  const least = options.zero ? 0 : options.least || LEAST_AMOUNT;
  const wrongSize = (decimal: number) =>
    decimal < least
      ? `must be at least ${least}`
      : decimal > most
        ? `must be at most ${most}`
        : digitCount(decimal, decimals) > digits
          ? `must have at most ${digits} digits in total`
          : undefined;
  const fits = (plain: string) => {
    const decimal = exactDecimal(plain, decimals);
    return decimal !== undefined && wrongSize(decimal) === undefined;
  };
  const seen = { placeholder: 'e.g. 12.50', ...options, description: withBounds(options.description, most) };
  return valueField(seen, numberBox(options), (value, problem) => {
    const decimal = hasTwoReadings(value, decimals) ? undefined : exactDecimal(value, decimals);
    if (decimal === undefined)
      return problem(
        whatToType(value, { fits, decimals, money: options.money }) ??
          `must be a number with at most ${decimals} decimal places, e.g. 12.50, without a currency symbol or thousands separator`,
      );
    const wrong = wrongSize(decimal);
    return wrong === undefined ? decimal : problem(wrong);
  });
}

export interface IntegerOptions extends FieldOptions {
  type?: 'integer';
  least?: number;
  most?: number;
}

/** Whole number. */
export function integer(options: IntegerOptions): ValueField {
  const { least = 0, most = Number.MAX_SAFE_INTEGER } = options;
  const within = (value: unknown) => {
    const whole = hasTwoReadings(value, 0) ? undefined : exactDecimal(value, 0);
    return whole === undefined || whole < least || whole > most ? undefined : whole;
  };
  const fits = (plain: string) => within(plain) !== undefined;
  const seen = { ...options, description: withBounds(options.description, most, least) };
  return valueField(seen, numberBox(options), (value, problem) => {
    // JavaScript represents every number of 15 digits exactly, so the message names this limit if the interface has
    // none.
    const upTo = options.most === undefined ? ', of at most 15 digits' : ` to ${most}`;
    const allowed = `must be a whole number from ${least}${upTo}`;
    return within(value) ?? problem(whatToType(value, { fits, decimals: 0 }) ?? allowed);
  });
}
