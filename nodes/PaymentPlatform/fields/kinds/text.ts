import { asText } from '../../shared/objects';
import { maskCardNumbers } from '../../shared/privacy';
import type { Pattern } from '../../wire/patterns';
import { withBound, withLength } from '../bounds';
import { GIVE_AS_TEXT, isRounded } from '../detect-mistyped';
import type { Convert, FieldOptions, ValueField } from '../types';
import { valueField } from '../value';

export interface TextOptions extends FieldOptions {
  type?: 'text';
  /** Longest text in characters. */
  maxLength?: number;
  /** What the whole text must look like, and how to say so, e.g. "only digits". */
  pattern?: Pattern;
  /** Makes of what people write, such as a number with spaces, what the interface takes; it is checked after that. */
  tidy?: (written: string) => string;
  rows?: number;
  /** Whether it becomes an ID, which is shown in full from then on: a card number is refused. */
  isShown?: boolean;
  /** Whether the editor empties it if another operation is chosen, as it does with a secret. */
  emptied?: boolean;
}

/** Whether a value has one text and no other: no object, no list, no NaN. */
const isPlain = (value: unknown) =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/**
 * The editor empties a parameter that has options if none of them is its value and another operation is chosen
 * (n8n.md#parameters): a card that was typed for one operation is not sent by another.
 */
export const EMPTIED = { options: [] };

/**
 * A text field. Numbers and booleans from expressions become text, so that an ID from a spreadsheet works; a number that
 * is so long that it has lost digits is refused.
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

/** Checks a text against what its options allow. */
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
      return problem('must not hold a card number, for it is shown in full wherever the record is');
    return trimmed;
  };

/**
 * A reference by which a person finds the request again. Where none is given, the node makes one before it recognises
 * requests: it is the same in every further try of the item, and no other item has it.
 * @param options with a greatest length of 20 characters or more
 */
export const madeReference = (options: TextOptions): ValueField => ({
  ...text({ ...options, notIdentifying: true }),
  fallback: ({ reference }) => reference?.(),
});

/** One address: what is before and after the sign, with a point in the latter. A second address is none of its parts. */
export const EMAIL_ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$/;

/** One e-mail address, sent as text. */
export const email = (options: Omit<TextOptions, 'pattern' | 'secret' | 'rows'>): ValueField =>
  text({
    ...options,
    caseInsensitive: true,
    pattern: { matches: EMAIL_ADDRESS, allowed: 'must be one e-mail address such as ana@example.com' },
  });
