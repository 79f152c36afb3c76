import { asText } from '../../shared/objects';
import { words, type Part } from './line-parts';

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

/**
 * Part of a list entry that shows a card or bank account with its last four digits.
 * @param number masked number from the service (openapi.yaml#MaskedNumber).
 */
export function paymentMethodPart(type: unknown, number: unknown): Part {
  const kind = asText(type);
  return words([BRANDS[kind] ?? kind, lastDigits(number)].filter(Boolean).join(' '), MORE[kind]);
}

/** Returns the visible last digits of a masked number, at most four. */
export const lastDigits = (number: unknown): string => /\d{1,4}$/.exec(asText(number).trim())?.[0] ?? '';
