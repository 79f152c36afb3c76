import { asText } from '../../shared/objects';
import { words, type Part } from './line-parts';

/** Names of card types (service.md#letters). */
const BRANDS: Record<string, string> = {
  VS: 'Visa',
  MC: 'Mastercard',
  AM: 'Amex',
  DS: 'Discover',
  JC: 'JCB',
  PP: 'PayPal',
  AP: 'Bank',
};
/** Other names that users type. They aren't shown, because the line of an entry is short. */
const MORE: Record<string, string> = { AM: 'American Express', AP: 'account' };

/** Folded words of all these names. */
export const METHOD_WORDS = [...Object.values(BRANDS), ...Object.values(MORE)].flatMap((name) =>
  name.toLowerCase().split(' '),
);

/**
 * Returns a card or bank account by its type and the last four digits, which are the only visible ones.
 * @param number masked number from the service (openapi.yaml#MaskedNumber).
 */
export function paymentMethodPart(type: unknown, number: unknown): Part {
  const kind = asText(type);
  return words([BRANDS[kind] ?? kind, lastDigits(number)].filter(Boolean).join(' '), MORE[kind]);
}

/** Returns the last four digits of a masked number, or fewer if it shows fewer. */
export const lastDigits = (number: unknown): string => /\d{1,4}$/.exec(asText(number).trim())?.[0] ?? '';
