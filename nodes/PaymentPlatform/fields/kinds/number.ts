import type { IDataObject } from 'n8n-workflow';

import { maskLongNumbers } from '../../shared/privacy';
import { asText, cut, type DataValue, isList, isObject, readableNumber } from '../../shared/objects';
import { AMOUNTS } from '../../wire/marks';
import { withBounds } from '../bounds';
import { currencyLetters, hasNoDecimals } from '../currencies';
import { whatToType } from '../detect-mistyped';
import type { Field, FieldOptions, Problem, ValueField } from '../types';
import { describe, valueField } from '../value';

interface AmountOptions extends FieldOptions {
  type?: 'decimal';
  /** Whether the amount can be 0. Otherwise, the minimum is 0.01. */
  zero?: boolean;
  /** In the currency's main unit. Can be negative. */
  least?: number;
  /** Defaults to 2. */
  decimals?: number;
  digits?: number;
  /** Defaults to 9999999999.99 (openapi.yaml#AmountInput). */
  most?: number;
}

/** An amount of 0 is usually a mistake. */
const LEAST_AMOUNT = 0.01;
/** Maximum floating-point error of a difference, such as 1000000.10 - 1000000. */
const LEAST_NOISE = 1e-9;
const RELATIVE_NOISE = 2 ** -46;
/** Users paste longer text by mistake. */
const LONGEST_TEXT = 400;

/** The accepted floating-point error never exceeds a thousandth of the last decimal. */
const noise = (number: number, decimals: number) =>
  Math.min(Math.max(LEAST_NOISE, Math.abs(number) * RELATIVE_NOISE), 10 ** -(decimals + 3));

/**
 * Corrects floating-point errors (0.1 + 0.2 becomes 0.3) but never rounds. Returns `undefined` if the value has more
 * than `decimals` decimals.
 */
export function exactDecimal(value: unknown, decimals: number): number | undefined {
  if (typeof value === 'string') return ofText(value.trim(), decimals);
  if (typeof value !== 'number') return undefined;
  // Adding 0 turns -0 into 0.
  const rounded = Number(value.toFixed(decimals)) + 0;
  return Math.abs(value - rounded) <= noise(value, decimals) ? rounded : undefined;
}

function ofText(text: string, decimals: number): number | undefined {
  if (text.length > LONGEST_TEXT || !new RegExp(`^[+-]?\\d+(\\.\\d{0,${decimals}}0*)?$`).test(text)) return undefined;
  const number = Number(text) + 0;
  return digitsIn(number.toFixed(decimals)) === digitsIn(text) ? number : undefined;
}

function digitsIn(text: string): string {
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.');
  return `${whole.replace(/^0+/, '')}.${fraction.replace(/0+$/, '')}`;
}

const digitCount = (decimal: number, decimals: number): number =>
  digitsIn(Math.abs(decimal).toFixed(decimals)).replace('.', '').length;

/** 1.000 means one in some countries and one thousand in others. */
const POINT_AND_THREE_DIGITS = /^[+-]?[1-9]\d{0,2}\.\d\d0$/;

/** If a field accepts three or more decimals, the point in "1.000" is a decimal point. */
export const hasTwoReadings = (value: unknown, decimals: number): boolean =>
  typeof value === 'string' && decimals < 3 && POINT_AND_THREE_DIGITS.test(value.trim());

const HOW_AS_TEXT =
  'In a spreadsheet, format the column as text before you enter the value. In JSON and expressions, put the value in quotes';
export const GIVE_AS_TEXT = `must be text, because numbers of this length are rounded. ${HOW_AS_TEXT}`;
export const KEEP_ZEROS = `must be text, because numbers have no leading zeros. ${HOW_AS_TEXT}`;

const ROUNDED_BY_SHEETS = /^\d+([.,]\d+)?E\+\d+$/i;

/** JavaScript reads 426351789012345678 as 426351789012345660. */
export function isRounded(value: unknown): boolean {
  if (typeof value === 'number') return !(Math.abs(value) <= Number.MAX_SAFE_INTEGER);
  return typeof value === 'string' && ROUNDED_BY_SHEETS.test(value.trim());
}

const NO_NUMBER = 'must be a number that JSON can represent';

/** Number in JSON that lost digits or that JSON can't represent. */
export interface LostNumber {
  /** Example: ` > lines 2 > id`. */
  place: string;
  /** Masked if it is long. */
  found: string;
  allowed: string;
}

/** Finds a number, at any depth, that has lost digits or isn't finite. */
export function lostNumberIn(root: unknown): LostNumber | undefined {
  const seen = new Set<unknown>();
  const open: Array<{ value: unknown; place: string }> = [{ value: root, place: '' }];
  // Recursion over deeply nested JSON would exceed JavaScript's call stack.
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, place } = next;
    const allowed = allowedInstead(value);
    if (allowed !== undefined) return { place, found: maskLongNumbers(String(value)), allowed };
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
  Array.isArray(parent) ? `${place} ${Number(name) + 1}` : `${place} > ${cut(maskLongNumbers(name), 60)}`;

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
/** Some programs print all 17 significant digits of a double. */
const MOST_DIGITS = 17;

/**
 * Returns the first number in valid JSON that loses digits when parsed. Ignores whole numbers, which `exactJson`
 * converts to text.
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

/** n8n's number box would silently drop a comma and turn 100,50 into 10050. */
export const numberBox = ({ default: own = '' }: FieldOptions) => ({
  type: 'string' as const,
  default: typeof own === 'number' ? String(own) : own,
});

/** In the currency's main unit, such as 12.50. */
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

/** The minimum defaults to 0. */
export function integer(options: IntegerOptions): ValueField {
  const { least = 0, most = Number.MAX_SAFE_INTEGER } = options;
  const within = (value: unknown) => {
    const whole = hasTwoReadings(value, 0) ? undefined : exactDecimal(value, 0);
    return whole === undefined || whole < least || whole > most ? undefined : whole;
  };
  const fits = (plain: string) => within(plain) !== undefined;
  const seen = { ...options, description: withBounds(options.description, most, least) };
  return valueField(seen, numberBox(options), (value, problem) => {
    // JavaScript represents all numbers of 15 digits exactly.
    const range =
      options.most === undefined ? `of at least ${least} with at most 15 digits` : `from ${least} to ${most}`;
    const allowed = `must be a whole number ${range}`;
    return within(value) ?? problem(whatToType(value, { fits, decimals: 0 }) ?? allowed);
  });
}

const KNOWN: ReadonlySet<string> = new Set(AMOUNTS);
/** Names that end in `_ignore` are switches (openapi.yaml#AddSubscriptionRequest). */
const NAMED_LIKE_ONE = /^amt_(?!.*_ignore$).+/;

/** Limits also apply to undeclared fields, such as those of Extra Body Fields. */
export function namesAmount(name: string): boolean {
  const written = name.toLowerCase();
  return KNOWN.has(written) || NAMED_LIKE_ONE.test(written);
}

export const LINES = 'line_items';
const TAX = 'sales_tax';
/** A sum of decimals is exact to this number of digits. */
export const EXACT_DIGITS = 14;

export const lineTotal = (line: unknown): number | undefined => {
  if (!isObject(line)) return undefined;
  const [quantity, cost] = [readableNumber(line.quantity), readableNumber(line.unit_cost)];
  return quantity === undefined || cost === undefined ? undefined : quantity * cost;
};

/** Decimals of an undeclared amount (openapi.yaml#AmountInput). */
const MOST_DECIMALS = 2;

/** A smaller amount than the last decimal is no floating-point error of 0. */
function hasTooManyDecimals(amount = 0): boolean {
  const exact = exactDecimal(amount, MOST_DECIMALS);
  return exact === undefined || (exact === 0 && amount !== 0);
}

/**
 * Refuses decimals that a currency doesn't have, and more decimals of an undeclared amount than the interface accepts.
 * An invoice line must have a whole total too. The currency can stand beside the amount or in an object around it.
 */
export function decimalProblems(values: IDataObject, declared: readonly Field[], before = '', outer = ''): Problem[] {
  const currency = asText(values.tran_currency) || outer;
  const fraction = (label: string, amount: number | undefined, what = ''): Problem[] =>
    Number((amount ?? 0).toPrecision(EXACT_DIGITS)) % 1 !== 0 && hasNoDecimals(currency)
      ? [
          {
            label,
            found: [what, describe(amount)].filter(Boolean).join(' '),
            allowed: `must be a whole number, because ${currencyLetters(currency)} has no decimals`,
          },
        ]
      : [];
  return Object.entries(values).flatMap(([name, value]) => {
    const field = declared.find((one) => one.name === name);
    const label = `${before}${field?.label ?? name}`;
    const isAmount = field ? field.money === true : namesAmount(name);
    const ofAmount = (amount: number | undefined): Problem[] =>
      !field && hasTooManyDecimals(amount)
        ? [{ label, found: describe(amount), allowed: `must have at most ${MOST_DECIMALS} decimal places` }]
        : fraction(label, amount);
    const inside = (inner: DataValue, place = '') =>
      isObject(inner)
        ? decimalProblems(inner, field?.fields ?? [], `${label}${place} > `, currency)
        : isAmount
          ? ofAmount(readableNumber(inner))
          : [];
    if (isList(value))
      return value.flatMap((one, at) => [
        ...inside(one, ` ${at + 1}`),
        ...(name === LINES ? fraction(`${label} ${at + 1}`, lineTotal(one), 'the total') : []),
      ]);
    if (name === TAX && isObject(value) && value.type === 'AMOUNT') return fraction(label, readableNumber(value.value));
    return inside(value);
  });
}
