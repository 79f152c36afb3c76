/** Pattern for a digit of any script, including full-width, superscript, subscript and circled digits. */
const DIGIT = '[\\p{Nd}\\u00b2\\u00b3\\u00b9\\u2070\\u2074-\\u2079\\u2080-\\u2089\\u2460-\\u2468\\u24ea]';

/** Unicode letters that look like a space or a dash: fillers, the blank Braille pattern and the long vowel mark. */
const DISGUISE = '\\u115f\\u1160\\u3164\\uffa0\\u2800\\u30fc\\uff70';

/**
 * Pattern for a character that can separate the digits of one number: a space, dash, dot, slash, underscore or
 * invisible character. Excludes punctuation of lists and sentences, and characters that mask digits.
 */
const WITHIN = `(?:[^\\p{L}\\p{N},:;!?"'(){}\\[\\]<>=+&%$€£@#*•●∗]|[${DISGUISE}])`;

/**
 * Pattern for any character except letters and digits. Any of these characters can separate the digits of a number that
 * has a check digit.
 */
const BETWEEN = `(?:[^\\p{L}\\p{N}]|[${DISGUISE}])`;

/** Maximum number of separators between two digits of the same number. */
const MOST_BETWEEN = 16;

const runOf = (between: string, least: number) =>
  new RegExp(`${DIGIT}(?:${between}{0,${MOST_BETWEEN}}${DIGIT}){${least - 1},}`, 'gu');

/**
 * Matches a number of at least 7 digits, with the separators that people and programs use in account and card numbers.
 */
export const NUMBER = runOf(WITHIN, 7);

/** Matches at least 12 digits with any separators. The digits can contain a card number. */
export const MAYBE_CARDS = runOf(BETWEEN, 12);

/** Matches digits without separators. */
export const GROUP = new RegExp(`${DIGIT}+`, 'gu');

/** Returns the source of a regular expression that matches the digits with or without separators. */
export const spacedOut = (digits: string) => [...digits].join(`${WITHIN}{0,${MOST_BETWEEN}}`);

const ONE_DIGIT = /\p{Nd}/u;

/** Returns the digits of a text as 0 to 9, without separators. */
export function digitsOf(text: string): string {
  return Array.from(text.matchAll(GROUP), ([group]) => Array.from(group, plain).join('')).join('');
}

/**
 * Returns the value of a digit as 0 to 9. Unicode lists the ten digits of each script in order, so the distance from
 * the script's zero is the value. The digits of two scripts can be adjacent, so the function returns the distance
 * modulo 10.
 */
function plain(digit: string): string {
  const usual = digit.normalize('NFKC');
  if (/\d/.test(usual)) return usual;
  const at = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (ONE_DIGIT.test(String.fromCodePoint(at - value - 1))) value += 1;
  return String(value % 10);
}
