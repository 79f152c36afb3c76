import { asText } from '../../shared/objects';
import { maskCardNumbers } from '../../shared/privacy';
import type { Pattern } from '../../wire/patterns';
import { withBound, withLength } from '../bounds';
import { GIVE_AS_TEXT, isRounded } from './number';
import type { Convert, FieldOptions, ValueField } from '../types';
import { valueField } from '../value';

export interface TextOptions extends FieldOptions {
  type?: 'text';
  maxLength?: number;
  pattern?: Pattern;
  /** Converts common notations, such as digits with spaces, before the checks. */
  tidy?: (written: string) => string;
  rows?: number;
  /** Whether the node shows the value in full. The node then rejects values that contain card numbers. */
  isShown?: boolean;
  /** Whether the editor clears the field when the user selects another operation. Defaults to `secret`. */
  emptied?: boolean;
}

/** Excludes objects, lists and NaN. */
const isPlain = (value: unknown) =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/**
 * Makes the editor clear the field when the user selects another operation (n8n.md#parameters), so that a card number
 * doesn't reach the wrong operation.
 */
export const EMPTIED = { options: [] };

/**
 * Text field. Numbers become text, so that IDs from spreadsheets work. A number that is long enough to lose digits is
 * refused.
 */
export function text(options: TextOptions): ValueField {
  const { secret, rows, default: own = '', emptied = secret } = options;
  const typeOptions = { ...(secret && { password: true }), ...(rows && { rows }) };
  return valueField(
    { ...options, description: described(options) },
    { type: 'string', default: own, ...((secret || rows) && { typeOptions }), ...(emptied && EMPTIED) },
    checkText(options),
  );
}

function described({ description, maxLength, pattern }: TextOptions): string {
  const words = pattern?.inDescription;
  return words === undefined ? withLength(description, maxLength) : withBound(description, words);
}

/** Returns a function that checks a text against the options. */
export const checkText =
  ({ maxLength, pattern, tidy = asText, isShown }: TextOptions): Convert =>
  (value, problem) => {
    if (!isPlain(value)) return problem('must be text');
    if (isRounded(value)) return problem(GIVE_AS_TEXT);
    const trimmed = tidy(asText(value).trim());
    if (maxLength !== undefined && trimmed.length > maxLength)
      return problem(`must have at most ${maxLength} characters (it has ${trimmed.length})`);
    if (pattern && !pattern.matches.test(trimmed)) return problem(pattern.allowed);
    if (isShown && maskCardNumbers(trimmed) !== trimmed)
      return problem('must not contain a card number, because this field is always shown in full');
    return trimmed;
  };

/**
 * Field for a reference with which users find the request later. If the user enters none, the node generates one and
 * reuses it for every retry.
 * @param options with a maximum length of at least 20 characters.
 */
export const madeReference = (options: TextOptions): ValueField => ({
  ...text({ ...options, notIdentifying: true }),
  fallback: ({ reference }) => reference?.(),
});

export const EMAIL_ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$/;

/** Field for a single email address. */
export const email = (options: Omit<TextOptions, 'pattern' | 'secret' | 'rows'>): ValueField =>
  text({
    ...options,
    caseInsensitive: true,
    pattern: { matches: EMAIL_ADDRESS, allowed: 'must be an email address such as ana@example.com' },
  });
