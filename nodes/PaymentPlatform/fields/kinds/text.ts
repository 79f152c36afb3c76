import { asText, inOneForm, INVISIBLE } from '../../shared/objects';
import { maskCardNumbers } from '../../shared/privacy';
import type { Pattern } from '../../wire/patterns';
import { withBound, withLength } from '../bounds';
import { GIVE_AS_TEXT, isRounded } from './number';
import { NOT_SHOWN } from '../searches';
import type { Convert, FieldOptions, ValueField } from '../types';
import { namesNothing, NO_MISSING_VALUE, valueField } from '../value';

export interface TextOptions extends FieldOptions {
  type?: 'text';
  maxLength?: number;
  pattern?: Pattern;
  /** Converts common notations before the checks. */
  tidy?: (written: string) => string;
  rows?: number;
  /** Names of people, companies and records contain no invisible characters. */
  isName?: true;
  /** Whether the value identifies a record although the interface doesn't mark it as a reference. */
  isId?: true;
  /** Whether the node shows the value in full. The node then rejects values that contain card numbers. */
  isShown?: boolean;
  /** Whether the editor clears the field when the operation changes. Defaults to `secret`. */
  emptied?: boolean;
}

/** Excludes objects, lists and NaN. */
const isPlain = (value: unknown) =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/**
 * Makes the editor clear the field when the operation changes (n8n.md#parameters), so that a card number doesn't reach
 * the wrong operation.
 */
export const EMPTIED = { options: [] };

/** Numbers become text, so that IDs from spreadsheets work. A number that is long enough to lose digits is refused. */
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

const SIGNS = new RegExp(INVISIBLE, 'u');
/** Some scripts and emojis need these between two characters. */
const JOINERS =
  /(?<=(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}\p{Emoji_Modifier}\p{Extended_Pictographic}])(?:[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])|\ufe0f\u200d?)/gu;

/** Such characters would make an ID or a name differ from an equal-looking one. */
export const NO_INVISIBLE = 'must not contain invisible characters';

/** Allows the joiners that scripts and emojis need. */
export const hasInvisible = (text: string): boolean => SIGNS.test(text.replace(JOINERS, ''));

export const checkText =
  ({
    maxLength,
    pattern,
    tidy = asText,
    isName,
    isId,
    reference,
    isShown,
  }: Omit<TextOptions, 'name' | 'label' | 'description'>): Convert =>
  (value, problem) => {
    if (!isPlain(value)) return problem('must be text');
    if (isRounded(value)) return problem(GIVE_AS_TEXT);
    const trimmed = tidy(isId || reference ? inOneForm(asText(value)) : asText(value).trim());
    if (isId && trimmed === NOT_SHOWN)
      return problem('must be a record', { found: 'the row of records that are not shown' });
    if ((isId || reference) && namesNothing(trimmed)) return problem(NO_MISSING_VALUE);
    if (maxLength !== undefined && trimmed.length > maxLength)
      return problem(`must have at most ${maxLength} characters (it has ${trimmed.length})`);
    if (pattern && !pattern.matches.test(trimmed)) return problem(pattern.allowed);
    if ((isName || isId || reference) && hasInvisible(trimmed)) return problem(NO_INVISIBLE);
    if (isShown && maskCardNumbers(trimmed) !== trimmed)
      return problem('must not contain a card number, because this field is always shown in full');
    return trimmed;
  };

const PART = `(?:(?!${INVISIBLE})[^\\s@<>,;])+`;
export const EMAIL_ADDRESS = new RegExp(`^${PART}@${PART}\\.${PART}$`, 'u');

export const email = (options: Omit<TextOptions, 'pattern' | 'secret' | 'rows'>): ValueField =>
  text({
    ...options,
    caseInsensitive: true,
    pattern: { matches: EMAIL_ADDRESS, allowed: 'must be an email address such as ana@example.com' },
  });
