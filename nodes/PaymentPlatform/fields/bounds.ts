import type { Field } from './types';

/** Users never reach larger bounds, so descriptions omit them. */
const FAR = 1e7;
export const LONG = 1_000;

const saying = (description: string, number: number, bound: string): string =>
  new RegExp(`\\b${String(number).replace('.', '\\.')}\\b`).test(description)
    ? description
    : withBound(description, bound);

export const withBound = (description: string, bound: string): string =>
  `${description}${/[.!?]$/.test(description) ? '' : '.'} ${bound}.`;

/** @param least lower bound, if it isn't obvious. */
export function withBounds(description: string, most: number, least?: number): string {
  if (most >= FAR) return description;
  return saying(description, most, least === undefined ? `At most ${most}` : `From ${least} to ${most}`);
}

export const withLength = (description: string, maxLength = LONG): string =>
  maxLength < LONG ? saying(description, maxLength, `At most ${maxLength} characters`) : description;

/** "Address Line 1" becomes "Address line 1". */
export const inSentence = (label: string): string => label.replace(/ [A-Z](?=[a-z])/g, (start) => start.toLowerCase());

/** Adds a hint for facts that users must see without opening the tooltip. */
export const withHint = (field: Field, hint: string): Field =>
  field.kind === 'value' ? { ...field, property: { ...field.property, hint } } : field;
