import { DateTime } from 'luxon';

import { currencyLetters } from '../../fields/currencies';
import { calendarDay } from '../../fields/kinds/date';
import { asText, readableNumber } from '../../shared/objects';
import { lastDigits } from '../../shared/privacy';
import { day, id, money, words, type Part } from '../engine/line-parts';

export const texts = (...values: unknown[]): Part[] => values.map((value) => words(asText(value)));

export const ids = (...values: unknown[]): Part[] => values.map((value) => id(asText(value)));

/** Empty for an unreadable amount. */
export function amounts(value: unknown, currency: unknown, after = ''): Part[] {
  const amount = readableNumber(value);
  return amount === undefined ? [] : [money(amount, `${currencyLetters(asText(currency))} ${after}`.trim())];
}

/** The day has no time zone, so the function doesn't convert it. Empty for an invalid day. */
export function days(value: unknown, now: DateTime, before = ''): Part[] {
  const zone = now.zoneName ?? 'utc';
  const date = calendarDay(value, zone);
  if (date === undefined) return [];
  const part = day(DateTime.fromISO(date, { zone }), now);
  return [{ ...part, text: `${before} ${part.text}`.trim() }];
}

/** Card types, by the service's code (service.md#letters). */
const BRANDS: Record<string, string> = {
  VS: 'Visa',
  MC: 'Mastercard',
  AM: 'Amex',
  DS: 'Discover',
  JC: 'JCB',
  PP: 'PayPal',
  AP: 'Bank',
};
/** Hidden names that users may type into the search. */
const MORE: Record<string, string> = { AM: 'American Express', AP: 'account' };

export const METHOD_WORDS = [...Object.values(BRANDS), ...Object.values(MORE)].flatMap((name) =>
  name.toLowerCase().split(' '),
);

/** Shows the last four digits of a masked number (openapi.yaml#MaskedNumber). */
export function paymentMethodPart(type: unknown, number: unknown): Part {
  const kind = asText(type);
  return words([BRANDS[kind] ?? kind, lastDigits(number)].filter(Boolean).join(' '), MORE[kind]);
}
