import { asText } from '../../shared/objects';
import { words, type Part } from './line-parts';

/** Names of card types, by the service's code (service.md#letters). */
const BRANDS: Record<string, string> = {
  VS: 'Visa',
  MC: 'Mastercard',
  AM: 'Amex',
  DS: 'Discover',
  JC: 'JCB',
  PP: 'PayPal',
  AP: 'Bank',
};
/** Alternative names that users may type. The list doesn't show these names, because the lines are short. */
const MORE: Record<string, string> = { AM: 'American Express', AP: 'account' };

/** Lowercase words of all names of payment methods. */
export const METHOD_WORDS = [...Object.values(BRANDS), ...Object.values(MORE)].flatMap((name) =>
  name.toLowerCase().split(' '),
);

/**
 * Returns an entry part with the type of a card or bank account and its last four digits. The service masks the other
 * digits.
 * @param number masked number from the service (openapi.yaml#MaskedNumber).
 */
export function paymentMethodPart(type: unknown, number: unknown): Part {
  const kind = asText(type);
  return words([BRANDS[kind] ?? kind, lastDigits(number)].filter(Boolean).join(' '), MORE[kind]);
}

/** Returns the last digits that a masked number shows, at most four. */
export const lastDigits = (number: unknown): string => /\d{1,4}$/.exec(asText(number).trim())?.[0] ?? '';
