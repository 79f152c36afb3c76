import { asText } from '../shared/objects';
import { GIVE_AS_TEXT, isRounded } from './rounded';
import type { Convert, FieldOptions, ValueField } from './types';
import { valueField } from './value';

export interface TextOptions extends FieldOptions {
  /** Longest text in characters. */
  maxLength?: number;
  /** What the whole text must look like, and how to say so, e.g. "only digits". */
  pattern?: { matches: RegExp; allowed: string };
  rows?: number;
}

/** Whether a value has one text and no other: no object, no list, no NaN. */
const isPlain = (value: unknown) =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/**
 * A text field. Numbers and booleans from expressions become text, so that an ID from a spreadsheet works; a number that
 * is so long that it has lost digits is refused.
 */
export function text(options: TextOptions): ValueField {
  const { secret, rows, default: own = '' } = options;
  const typeOptions = { ...(secret && { password: true }), ...(rows && { rows }) };
  return valueField(
    options,
    { type: 'string', default: own, ...((secret || rows) && { typeOptions }) },
    textOf(options),
  );
}

/** Checks a text against what its options allow. */
export const textOf =
  ({ maxLength, pattern }: TextOptions): Convert =>
  (value, problem) => {
    if (!isPlain(value)) return problem('must be text');
    if (isRounded(value)) return problem(GIVE_AS_TEXT);
    const trimmed = asText(value).trim();
    if (maxLength !== undefined && trimmed.length > maxLength)
      return problem(`must have at most ${maxLength} characters (it has ${trimmed.length})`);
    if (pattern && !pattern.matches.test(trimmed)) return problem(pattern.allowed);
    return trimmed;
  };

/** Pattern: only digits, with a length in characters. */
export const digits = (shortest: number, longest: number) => ({
  matches: new RegExp(`^\\d{${shortest},${longest}}$`),
  allowed:
    shortest === longest
      ? `must be exactly ${shortest} digits`
      : `must be ${shortest} to ${longest} digits, without spaces or dashes`,
});

/** Pattern: letters and digits, with a greatest length in characters. */
export const alphanumeric = (longest: number) => ({
  matches: new RegExp(`^[A-Za-z0-9]{1,${longest}}$`),
  allowed: `must be at most ${longest} letters and digits, without spaces or other characters`,
});

/** Pattern: MMYY with a real month (openapi.yaml#ExpDate). */
export const monthAndYear = {
  matches: /^(0[1-9]|1[0-2])\d\d$/,
  allowed: 'must be four digits MMYY with a month from 01 to 12, e.g. 0929 for September 2029',
};
