import type { FieldOptions, ValueField } from './types';
import { valueField } from './value';

export interface AmountOptions extends FieldOptions {
  type?: 'decimal';
  /** Whether nothing (0) is an amount as well; the least is 0.01 otherwise. */
  zero?: boolean;
  /** Least allowed amount in the currency's main unit: below zero where the interface takes what is given back. */
  least?: number;
  /** Most decimals; 2 unless given. */
  decimals?: number;
  /** Greatest allowed amount; 9999999999.99 unless given (openapi.yaml#AmountInput). */
  most?: number;
}

/** An amount of nothing is hardly ever meant. */
const LEAST_AMOUNT = 0.01;
/** A difference of two amounts such as 1000000.10 - 1000000 is this close to the decimal that was meant. */
const LEAST_NOISE = 1e-9;
/** A sum of many amounts is off by some of its last binary digits: up to 64 units in the last place. */
const RELATIVE_NOISE = 2 ** -46;

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
  if (typeof value === 'string' && !new RegExp(`^[+-]?\\d+(\\.\\d{0,${decimals}}0*)?$`).test(value.trim()))
    return undefined;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const number = Number(value);
  // Adding zero makes -0, which is the same amount, 0.
  const rounded = Number(number.toFixed(decimals)) + 0;
  return Math.abs(number - rounded) <= noise(number, decimals) ? rounded : undefined;
}

/** An amount of money: a decimal in the currency's main unit (12.50, never cents). */
export function amount(options: AmountOptions): ValueField {
  const { most = 9_999_999_999.99, decimals = 2 } = options;
  const least = options.zero ? 0 : options.least || LEAST_AMOUNT;
  // No precision: the editor would round what a person types without a word.
  const look = { type: 'number' as const, default: options.default ?? (options.required ? 0 : '') };
  return valueField(options, look, (value, problem) => {
    const decimal = exactDecimal(value, decimals);
    if (decimal === undefined)
      return problem(
        `must be a number with at most ${decimals} decimals, e.g. 12.50, without currency sign or thousands separator`,
      );
    if (decimal < least) return problem(`must be at least ${least}`);
    if (decimal > most) return problem(`must be at most ${most}`);
    return decimal;
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
  return valueField(options, { type: 'number', default: options.default ?? '' }, (value, problem) => {
    const whole = exactDecimal(value, 0);
    const allowed = `must be a whole number from ${least} to ${most}`;
    return whole === undefined || whole < least || whole > most ? problem(allowed) : whole;
  });
}
