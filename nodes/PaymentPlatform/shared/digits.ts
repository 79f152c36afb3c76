/** A digit of any script, full-width, superscript, subscript or circled. */
const DIGIT = '[\\p{Nd}\\u00b2\\u00b3\\u00b9\\u2070\\u2074-\\u2079\\u2080-\\u2089\\u2460-\\u2468\\u24ea]';

/** Letters by their Unicode category that show nothing or a dash: fillers, the blank Braille cell, the long vowel mark. */
const DISGUISE = '\\u115f\\u1160\\u3164\\uffa0\\u2800\\u30fc\\uff70';

/**
 * What may stand between the digits of one number: spaces, dashes, dots, slashes, underscores, marks that show nothing.
 * Not the signs of a list or a sentence, and not those that stand for digits which are hidden already.
 */
const WITHIN = `(?:[^\\p{L}\\p{N},:;!?"'(){}\\[\\]<>=+&%$€£@#*•●∗]|[${DISGUISE}])`;

/** Anything but a letter or a digit: for numbers that prove themselves by their check digit. */
const BETWEEN = `(?:[^\\p{L}\\p{N}]|[${DISGUISE}])`;

/** More signs than these between two digits make two numbers of them. */
const MOST_BETWEEN = 16;

const runOf = (between: string, least: number) =>
  new RegExp(`${DIGIT}(?:${between}{0,${MOST_BETWEEN}}${DIGIT}){${least - 1},}`, 'gu');

/** A number of at least 7 digits, as account and card numbers are written by people and machines. */
export const NUMBER = runOf(WITHIN, 7);

/** Digits that may hold a card number, with whatever signs between them. */
export const MAYBE_CARDS = runOf(BETWEEN, 12);

/** Digits that follow each other with nothing between them. */
export const GROUP = new RegExp(`${DIGIT}+`, 'gu');

/** A pattern for the digits of a text one after the other, whatever stands between them. */
export const spacedOut = (digits: string) => [...digits].join(`${WITHIN}{0,${MOST_BETWEEN}}`);

const ONE_DIGIT = /\p{Nd}/u;

/** The digits of a text as 0 to 9, without anything that stands between them. */
export function digitsOf(text: string): string {
  return Array.from(text.matchAll(GROUP), ([group]) => Array.from(group, plain).join('')).join('');
}

/** The digits of every script stand together from zero to nine, so the distance to the first one is the value. */
function plain(digit: string): string {
  const usual = digit.normalize('NFKC');
  if (/^\d$/.test(usual)) return usual;
  const at = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && ONE_DIGIT.test(String.fromCodePoint(at - value - 1))) value += 1;
  return String(value);
}

/** Whole cents, so that sums are exact. */
export const toCents = (amount: number) => Math.round(amount * 100);
