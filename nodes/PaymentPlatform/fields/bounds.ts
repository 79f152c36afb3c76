/** No person comes near: such a bound would only be in the way of the rest. */
const FAR = 1e7;
const LONG = 1_000;

/** The description with what a value may be at most, unless it says so already: nobody should learn it from a refusal. */
const saying = (description: string, number: number, bound: string): string =>
  new RegExp(`\\b${String(number).replace('.', '\\.')}\\b`).test(description)
    ? description
    : withBound(description, bound);

/** A description with what is allowed, in words. */
export const withBound = (description: string, bound: string): string =>
  `${description}${/[.!?]$/.test(description) ? '' : '.'} ${bound}.`;

/** A description with the bounds of a number; `least` only where it is more than what goes without saying. */
export function withBounds(description: string, most: number, least?: number): string {
  if (most >= FAR) return description;
  return saying(description, most, least === undefined ? `At most ${most}` : `From ${least} to ${most}`);
}

/** A description with the longest text, in characters. */
export const withLength = (description: string, maxLength = LONG): string =>
  maxLength < LONG ? saying(description, maxLength, `At most ${maxLength} characters`) : description;
