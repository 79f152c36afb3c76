import type { DateTime } from 'luxon';
import { isCurrency } from '../../fields/currencies';
import { maskCardsInId } from '../../shared/privacy';
import { type TypedDay, takeDay } from './days';

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

/** An amount as it was typed. */
export interface TypedAmount {
  cents: number;
  /** Without thousands separators, with a point: "49", "49.9". */
  text: string;
}

/** One thing that a person typed, of which each must be found. A card number is none, only its last four digits are. */
export interface Term {
  /** Folded (see `folded`). */
  text: string;
  /** What is sent to the service: as it was typed. */
  asked: string;
  amount?: TypedAmount;
  days?: TypedDay[];
}

/** Units in groups of three or in one, and at most two decimals behind a point or a comma. */
const AMOUNT = /^(?<units>\d{1,3}(?:[.,]\d{3})+|\d{1,12})(?:[.,](?<decimals>\d{1,2}))?[.,]?$/;
const CURRENCY_SIGNS = /^[$€£¥]|[$€£¥]$/g;

/** The amount that a text means, or `undefined` when it means none: "1,234.56", "49,00", "49". */
export function typedAmount(text: string): TypedAmount | undefined {
  const { units, decimals = '' } = AMOUNT.exec(text)?.groups ?? {};
  if (units === undefined) return undefined;
  const whole = units.replace(/[.,]/g, '').replace(/^0+(?=\d)/, '');
  return {
    cents: Number(whole) * 100 + Number(decimals.padEnd(2, '0')),
    text: decimals === '' ? whole : `${whole}.${decimals}`,
  };
}

/** Words and numbers, with "usd" of "49usd" on its own. */
function split(text: string): string[] {
  const words = text.split(/[\s·;|()"]+/u).map((word) => word.replace(CURRENCY_SIGNS, '').replace(/^,+|[,:]+$/g, ''));
  return words.flatMap((word) => {
    const [, before = '', number = '', after = ''] = /^([a-z]{3})?([\d.,]+)([a-z]{3})?$/.exec(word) ?? [];
    const letters = [before, after].filter((part) => part !== '');
    return letters.length > 0 && letters.every(isCurrency) && typedAmount(number) ? [number, ...letters] : [word];
  });
}

/** @param asTyped how a word was typed, with its accents, which the service may tell apart. */
function termOf(text: string, asTyped: string): Term {
  const amount = typedAmount(text);
  // A bar and a comma are what filters are made of (service.md#lists).
  return { text, asked: asTyped.replace(/[|,]/g, ' ').trim(), ...(amount && { amount }) };
}

/** Of a card number, however it is written, its last four digits are left. */
const withoutCards = (typed: string) => maskCardsInId(typed).replace(/(?<![\p{L}\p{N}])x(?=\d{4}(?!\d))/gu, '');

const LONGEST = 200;

/**
 * What a person typed, as words, amounts and days, in any order.
 * @param now in the time zone in which days are meant
 */
export function termsOf(typed: string, now: DateTime): Term[] {
  const given = withoutCards(typed.trim().slice(0, LONGEST));
  const text = folded(given);
  const taken = takeDay(text, now);
  const words = split(taken?.rest ?? text).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const day = taken ? [{ text: taken.written.trim(), asked: taken.written.trim(), days: taken.days }] : [];
  const asTyped = new Map(split(given).map((word) => [folded(word), word]));
  return [...day, ...words.map((word) => termOf(word, asTyped.get(word) ?? word))];
}
