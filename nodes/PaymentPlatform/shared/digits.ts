/** Matches a digit of any script, including superscript, subscript and circled digits. */
const DIGIT = '[\\p{Nd}\\u00b2\\u00b3\\u00b9\\u2070\\u2074-\\u2079\\u2080-\\u2089\\u2460-\\u2468\\u24ea]';

const DISGUISE = '\\u115f\\u1160\\u3164\\uffa0\\u2800\\u30fc\\uff70';

/**
 * Spaces, dashes, dots and similar characters can separate the digits of one number. A comma or a colon separates two
 * numbers.
 */
const WITHIN = `(?:[^\\p{L}\\p{N},:;!?"'(){}\\[\\]<>=+&%$€£@#*•●∗]|[${DISGUISE}])`;

const BETWEEN = `(?:[^\\p{L}\\p{N}]|[${DISGUISE}])`;

const MOST_BETWEEN = 16;

const runOf = (between: string, least: number) =>
  new RegExp(`${DIGIT}(?:${between}{0,${MOST_BETWEEN}}${DIGIT}){${least - 1},}`, 'gu');

/** Matches a number of at least 7 digits, with the separators that are common in account and card numbers. */
export const NUMBER = runOf(WITHIN, 7);

/** Matches at least 12 digits with any separators. A match may contain a card number. */
export const MAYBE_CARDS = runOf(BETWEEN, 12);

export const GROUP = new RegExp(`${DIGIT}+`, 'gu');

/** Returns the source of a regular expression that matches the digits with or without separators. */
export const spacedOut = (digits: string) => [...digits].join(`${WITHIN}{0,${MOST_BETWEEN}}`);

const ONE_DIGIT = /\p{Nd}/u;

/** Returns the digits of a text as 0 to 9, without separators. */
export function digitsOf(text: string): string {
  return Array.from(text.matchAll(GROUP), ([group]) => Array.from(group, plain).join('')).join('');
}

/** Unicode lists the ten digits of each script in order, so the distance from the script's zero is the value. */
function plain(digit: string): string {
  const usual = digit.normalize('NFKC');
  if (/\d/.test(usual)) return usual;
  const at = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (ONE_DIGIT.test(String.fromCodePoint(at - value - 1))) value += 1;
  return String(value % 10);
}
