import type { DateTime } from 'luxon';
import { isCurrency } from '../../fields/currencies';
import { maskCardsInId } from '../../shared/privacy';
import { type TypedDay, takeDay } from './days';

/** Letters that Unicode doesn't decompose, and their usual replacements. */
const WRITTEN: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' };

/** Normalizes text for comparison: ignores case, accents and apostrophes. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}'’‘`´]/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => WRITTEN[letter] ?? letter);

/** Kind of a match: a whole word, the beginning of a word, or any position. */
export type Hold = 'whole' | 'beginning' | 'inside';

const isSign = (character: string | undefined) => character === undefined || !/[\p{L}\p{N}]/u.test(character);

/**
 * Returns the best match of a typed text in a text, or `undefined` if there is none.
 * @param text folded text.
 * @param typed folded text that isn't empty.
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

/** Amount as typed by the user. */
export interface TypedAmount {
  cents: number;
  /** Text without thousands separators and with a decimal point: "49", "49.9". */
  text: string;
}

/** Part of the typed text. An entry must match all of them. Card numbers are reduced to their last four digits. */
export interface Term {
  /** Folded text (see `folded`). */
  text: string;
  /** Text for the service, as typed. */
  asked: string;
  amount?: TypedAmount;
  days?: TypedDay[];
}

/** Units, with or without thousands separators, and up to two decimals after a point or comma. */
const AMOUNT = /^(?<units>\d{1,3}(?:[.,]\d{3})+|\d{1,12})(?:[.,](?<decimals>\d{1,2}))?[.,]?$/;
const CURRENCY_SIGNS = /^[$€£¥]|[$€£¥]$/g;

/** Returns the amount in a text, or `undefined` if it isn't an amount: "1,234.56", "49,00", "49". */
export function typedAmount(text: string): TypedAmount | undefined {
  const { units, decimals = '' } = AMOUNT.exec(text)?.groups ?? {};
  if (units === undefined) return undefined;
  const whole = units.replace(/[.,]/g, '').replace(/^0+(?=\d)/, '');
  return {
    cents: Number(whole) * 100 + Number(decimals.padEnd(2, '0')),
    text: decimals === '' ? whole : `${whole}.${decimals}`,
  };
}

/** Returns the words and numbers of a text, and splits "49usd" into a number and a currency. */
function split(text: string): string[] {
  const words = text.split(/[\s·;|()"]+/u).map((word) => word.replace(CURRENCY_SIGNS, '').replace(/^,+|[,:]+$/g, ''));
  return words.flatMap((word) => {
    const [, before = '', number = '', after = ''] = /^([a-z]{3})?([\d.,]+)([a-z]{3})?$/.exec(word) ?? [];
    const letters = [before, after].filter((part) => part !== '');
    return letters.length > 0 && letters.every(isCurrency) && typedAmount(number) ? [number, ...letters] : [word];
  });
}

/** @param asTyped typed word with its accents, which the service may distinguish. */
function termOf(text: string, asTyped: string): Term {
  const amount = typedAmount(text);
  // Filters use vertical bars and commas as separators (service.md#lists).
  return { text, asked: asTyped.replace(/[|,]/g, ' ').trim(), ...(amount && { amount }) };
}

/** Reduces a card number in any notation to its last four digits. */
const withoutCards = (typed: string) => maskCardsInId(typed).replace(/(?<![\p{L}\p{N}])x(?=\d{4}(?!\d))/gu, '');

const LONGEST = 200;

/**
 * Returns the words, amounts and days in a typed text, in any order.
 * @param now current time in the time zone for days.
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
