import { withBounds } from '../bounds';
import { hasTwoReadings, whatToType } from '../detect-mistyped';
import type { FieldOptions, ValueField } from '../types';
import { valueField } from '../value';

export interface AmountOptions extends FieldOptions {
  type?: 'decimal';
  /** Whether nothing (0) is an amount as well; the least is 0.01 otherwise. */
  zero?: boolean;
  /** Least allowed amount in the currency's main unit: below zero where the interface takes what is given back. */
  least?: number;
  /** Most decimals; 2 unless given. */
  decimals?: number;
  /** Most digits in total, before and after the decimal point; only the bounds count unless given. */
  digits?: number;
  /** Greatest allowed amount; 9999999999.99 unless given (openapi.yaml#AmountInput). */
  most?: number;
}

/** An amount of nothing is hardly ever meant. */
const LEAST_AMOUNT = 0.01;
/** A difference of two amounts such as 1000000.10 - 1000000 is this close to the decimal that was meant. */
const LEAST_NOISE = 1e-9;
/** A sum of many amounts is off by some of its last binary digits: up to 64 units in the last place. */
const RELATIVE_NOISE = 2 ** -46;
/** No number of a person is longer; what is pasted by mistake is not looked through. */
const LONGEST_TEXT = 400;

/**
 * How far a number may be from the decimal that was meant: as far as adding and subtracting puts it off, and never as
 * far as a real decimal of the next two places would, however large the number is.
 */
const noise = (number: number, decimals: number) =>
  Math.min(Math.max(LEAST_NOISE, Math.abs(number) * RELATIVE_NOISE), 10 ** -(decimals + 3));

/**
 * The decimal that a number or numeric text means, with at most `decimals` decimals, or `undefined` when it means
 * something else. 0.1 + 0.2 is 0.3; 10.005 and 9999999999.991 are no amounts with two decimals and are never rounded to
 * one. Text says exactly what it means: 10.000000001 as text is refused, too.
 */
export function exactDecimal(value: unknown, decimals: number): number | undefined {
  if (typeof value === 'string') return ofText(value.trim(), decimals);
  if (typeof value !== 'number') return undefined;
  // Adding zero makes -0, which is the same amount, 0.
  const rounded = Number(value.toFixed(decimals)) + 0;
  return Math.abs(value - rounded) <= noise(value, decimals) ? rounded : undefined;
}

/** The number that a text writes, unless some digit of it would not be in the number. */
function ofText(text: string, decimals: number): number | undefined {
  if (text.length > LONGEST_TEXT || !new RegExp(`^[+-]?\\d+(\\.\\d{0,${decimals}}0*)?$`).test(text)) return undefined;
  const number = Number(text) + 0;
  return digitsIn(number.toFixed(decimals)) === digitsIn(text) ? number : undefined;
}

/** The digits that count: without sign, and without zeros before and behind them. */
function digitsIn(text: string): string {
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.');
  return `${whole.replace(/^0+/, '')}.${fraction.replace(/0+$/, '')}`;
}

/** How many digits a decimal is written with. */
const digitCount = (decimal: number, decimals: number): number =>
  digitsIn(Math.abs(decimal).toFixed(decimals)).replace('.', '').length;

/**
 * How a number looks in the editor: a box for text. n8n's box for numbers drops a comma without a word, so that 100,50
 * becomes 10050. Numbers that a workflow holds, and those of expressions, come as they are.
 */
export const numberBox = ({ default: own = '' }: FieldOptions) => ({
  type: 'string' as const,
  default: typeof own === 'number' ? String(own) : own,
});

/** An amount of money: a decimal in the currency's main unit (12.50, never cents). */
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
          `must be a number with at most ${decimals} decimals, e.g. 12.50, without currency sign or thousands separator`,
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

/** A whole number. */
export function integer(options: IntegerOptions): ValueField {
  const { least = 0, most = Number.MAX_SAFE_INTEGER } = options;
  const within = (value: unknown) => {
    const whole = hasTwoReadings(value, 0) ? undefined : exactDecimal(value, 0);
    return whole === undefined || whole < least || whole > most ? undefined : whole;
  };
  const fits = (plain: string) => within(plain) !== undefined;
  const seen = { ...options, description: withBounds(options.description, most, least) };
  return valueField(seen, numberBox(options), (value, problem) => {
    // Every number of 15 digits is exact in JavaScript: the message says so where the interface has no bound.
    const upTo = options.most === undefined ? ', of at most 15 digits' : ` to ${most}`;
    const allowed = `must be a whole number from ${least}${upTo}`;
    return within(value) ?? problem(whatToType(value, { fits, decimals: 0 }) ?? allowed);
  });
}
