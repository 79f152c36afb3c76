/** Letters that are no letter with an accent, and how people without them on the keyboard write them. */
const WRITTEN: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' };

/** Text as it is compared: upper and lower case, accents and apostrophes make no difference. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}'’‘`´]/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => WRITTEN[letter] ?? letter);

/** How well a text holds what was typed: a whole word, the beginning of a word, or somewhere. */
export type Hold = 'whole' | 'beginning' | 'inside';

const isSign = (character: string | undefined) => character === undefined || !/[\p{L}\p{N}]/u.test(character);

/**
 * @param text folded
 * @param typed folded, not empty
 * @returns the best way in which the text holds what was typed, `undefined` when it does not.
 */
export function held(text: string, typed: string): Hold | undefined {
  let best: Hold | undefined;
  for (let at = text.indexOf(typed); at >= 0; at = text.indexOf(typed, at + 1)) {
    const begins = isSign(text[at - 1]);
    if (begins && isSign(text[at + typed.length])) return 'whole';
    if (begins) best = 'beginning';
    else best ??= 'inside';
  }
  return best;
}
