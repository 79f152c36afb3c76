/** Matches a digit of any script, including superscript, subscript and circled digits. */
const DIGIT = '[\\p{Nd}\\u00b2\\u00b3\\u00b9\\u2070\\u2074-\\u2079\\u2080-\\u2089\\u2460-\\u2468\\u24ea]';

/** Letters and signs that look like spaces or dashes. */
export const DISGUISE = '\\u115f\\u1160\\u3164\\uffa0\\u2800\\u30fc\\uff70';

/**
 * Spaces, dashes, dots and similar characters can separate the digits of one number. A comma or a colon separates two
 * numbers.
 */
const WITHIN = `(?:[^\\p{L}\\p{N},:;!?"'(){}\\[\\]<>=+&%$€£@#*•●∗]|[${DISGUISE}])`;

const BETWEEN = `(?:[^\\p{L}\\p{N}]|[${DISGUISE}])`;

const MOST_BETWEEN = 16;

const GROUP = new RegExp(`${DIGIT}+`, 'gu');

/** Adjacent digits, and their position in a text. */
export interface DigitGroup {
  digits: string;
  start: number;
  end: number;
}

/**
 * Reads the text group by group, because a pattern for a whole run would overflow the stack.
 * @param between pattern of a character between the groups of a run.
 * @param least minimum number of digits in a run.
 */
function runReplacer(between: string, least: number) {
  const gap = new RegExp(`${between}{0,${MOST_BETWEEN}}`, 'uy');
  return (text: string, replace: (run: string, groups: DigitGroup[]) => string): string => {
    let replaced = '';
    let copiedTo = 0;
    let from = 0;
    let count = 0;
    let groups: DigitGroup[] = [];
    const endRun = () => {
      const to = from + (groups.at(-1)?.end ?? 0);
      if (count >= least) {
        replaced += text.slice(copiedTo, from) + replace(text.slice(from, to), groups);
        copiedTo = to;
      }
      groups = [];
      count = 0;
    };
    for (const { 0: group, index } of text.matchAll(GROUP)) {
      if (index !== gap.lastIndex) endRun();
      if (groups.length === 0) from = index;
      const digits = group.replace(NOT_ASCII_DIGIT, plain);
      groups.push({ digits, start: index - from, end: index - from + group.length });
      count += digits.length;
      gap.lastIndex = index + group.length;
      gap.test(text);
    }
    endRun();
    return replaced + text.slice(copiedTo);
  };
}

/** Replaces numbers of at least 7 digits, with the separators that are common in account and card numbers. */
export const replaceNumbers = runReplacer(WITHIN, 7);

/** Replaces numbers of at least 4 digits, with the same separators. */
export const replaceShortNumbers = runReplacer(WITHIN, 4);

/** Replaces runs of at least 12 digits with any separators. A run may contain a card number. */
export const replaceMaybeCards = runReplacer(BETWEEN, 12);

const ONE_DIGIT = /\p{Nd}/u;
const NOT_ASCII_DIGIT = /\D/gu;

/** Converts the digits to 0 to 9, without separators. */
export function digitsOf(text: string): string {
  return Array.from(text.matchAll(GROUP), ([group]) => group.replace(NOT_ASCII_DIGIT, plain)).join('');
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
