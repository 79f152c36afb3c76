import { asText } from '../../shared/objects';
import { words, type Part } from './line-parts';

/** What people call the kinds of cards (service.md#letters). */
const BRANDS: Record<string, string> = {
  VS: 'Visa',
  MC: 'Mastercard',
  AM: 'Amex',
  DS: 'Discover',
  JC: 'JCB',
  PP: 'PayPal',
  AP: 'Bank',
};
/** What else people type for these: the line of a list is short. */
const MORE: Record<string, string> = { AM: 'American Express', AP: 'account' };

/** All words of these names, folded. */
export const METHOD_WORDS = [...Object.values(BRANDS), ...Object.values(MORE)].flatMap((name) =>
  name.toLowerCase().split(' '),
);

/**
 * A card or bank account by its kind and the last four digits of its number, which are all that is ever shown.
 * @param number as the service masks it (openapi.yaml#MaskedNumber)
 */
export function paymentMethodPart(type: unknown, number: unknown): Part {
  const kind = asText(type);
  return words([BRANDS[kind] ?? kind, lastDigits(number)].filter(Boolean).join(' '), MORE[kind]);
}

/** The last four digits of a masked number, or as many as it shows. */
export const lastDigits = (number: unknown): string => /\d{1,4}$/.exec(asText(number).trim())?.[0] ?? '';
