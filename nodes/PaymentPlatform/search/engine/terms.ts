import type { DateTime } from 'luxon';
import { isCurrency } from '../../fields/currencies';
import { maskCardsInId } from '../../shared/privacy';
import { cut } from '../../shared/objects';
import { type TypedDay, takeDay } from './days';

/** Replacements for letters that Unicode normalization keeps. */
const WRITTEN: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' };

/** Removes accents and apostrophes, for comparison. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}'’‘`´]/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => WRITTEN[letter] ?? letter);

/** `inside` means any other position. */
export type Hold = 'whole' | 'beginning' | 'inside';

const isSign = (character: string | undefined) => character === undefined || !/[\p{L}\p{N}]/u.test(character);

/** Finds the best match. Both texts must come from `folded`. */
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

export interface TypedAmount {
  cents: number;
  /** Example: "49" or "49.9", without thousands separators. */
  text: string;
}

/** A term contains only the last four digits of a card number. */
export interface Term {
  /** Lowercase text without accents (see `folded`). */
  text: string;
  /** Sent to the service, in the user's notation. */
  asked: string;
  amount?: TypedAmount;
  days?: TypedDay[];
}

/** Matches whole units with optional thousands separators, and up to two decimals. */
const AMOUNT = /^(?<units>\d{1,3}(?:[.,]\d{3})+|\d{1,12})(?:[.,](?<decimals>\d{1,2}))?[.,]?$/;
const CURRENCY_SIGNS = /^[$€£¥]|[$€£¥]$/g;

/** Parses "1,234.56", "49,00" or "49". Returns `undefined` for other text. */
export function typedAmount(text: string): TypedAmount | undefined {
  const { units, decimals = '' } = AMOUNT.exec(text)?.groups ?? {};
  if (units === undefined) return undefined;
  const whole = units.replace(/[.,]/g, '').replace(/^0+(?=\d)/, '');
  return {
    cents: Number(whole) * 100 + Number(decimals.padEnd(2, '0')),
    text: decimals === '' ? whole : `${whole}.${decimals}`,
  };
}

function split(text: string): string[] {
  const words = text.split(/[\s·;|()"]+/u).map((word) => word.replace(CURRENCY_SIGNS, '').replace(/^,+|[,:]+$/g, ''));
  return words.flatMap((word) => {
    const [, before = '', number = '', after = ''] = /^([a-z]{3})?([\d.,]+)([a-z]{3})?$/.exec(word) ?? [];
    const letters = [before, after].filter((part) => part !== '');
    return letters.length > 0 && letters.every(isCurrency) && typedAmount(number) ? [number, ...letters] : [word];
  });
}

/** The service may distinguish accents, so `asTyped` keeps the accents of the word. */
function termOf(text: string, asTyped: string): Term {
  const amount = typedAmount(text);
  // Vertical bars and commas separate values in the service's filters (service.md#lists).
  return { text, asked: asTyped.replace(/[|,]/g, ' ').trim(), ...(amount && { amount }) };
}

const withoutCards = (typed: string) => maskCardsInId(typed).replace(/(?<![\p{L}\p{N}])x(?=\d{4}(?!\d))/gu, '');

const LONGEST = 200;

export function termsOf(typed: string, now: DateTime): Term[] {
  const given = withoutCards(cut(typed.trim(), LONGEST));
  const text = folded(given);
  const taken = takeDay(text, now);
  const words = split(taken?.rest ?? text).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const day = taken ? [{ text: taken.written.trim(), asked: taken.written.trim(), days: taken.days }] : [];
  const asTyped = new Map(split(given).map((word) => [folded(word), word]));
  return [...day, ...words.map((word) => termOf(word, asTyped.get(word) ?? word))];
}
