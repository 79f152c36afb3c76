import { asText } from '../../shared/objects';
import { lastDigits } from '../../shared/privacy';
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

/** Shows the last four digits of a masked number (openapi.yaml#MaskedNumber). */
export function paymentMethodPart(type: unknown, number: unknown): Part {
  const kind = asText(type);
  return words([BRANDS[kind] ?? kind, lastDigits(number)].filter(Boolean).join(' '), MORE[kind]);
}
