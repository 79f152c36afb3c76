import { asMonthAndYear, withoutGroups } from '../card-formats';
import { boolean, choice } from './choice';
import { text } from './text';
import type { Field } from '../types';
import type { ChoiceFact, TextFact } from '../../wire/facts';
import { digits, type DigitsPattern, type Pattern } from '../../wire/patterns';

/** Text of digits whose greatest number the interface gives. */
type DigitsFact = TextFact & { readonly pattern: DigitsPattern };

/** A shorter value can't be right, whatever the interface takes: it would be a slip. */
const SHORTEST_CARD = 12;
const SHORTEST_CODE = 3;

/** The number of a card, as a secret (service.md#card-data). */
export const cardNumber = (fact: DigitsFact): Field =>
  text({
    ...fact,
    label: 'Card Number',
    description: 'Full card number. The node removes spaces and dashes. The service returns the number masked.',
    placeholder: 'e.g. 4111 1111 1111 1111',
    tidy: withoutGroups,
    pattern: {
      ...digits(SHORTEST_CARD, fact.pattern.longest),
      allowed: `must be ${SHORTEST_CARD} to ${fact.pattern.longest} digits`,
    },
  });

/** The month in which a card expires, sent as MMYY (openapi.yaml#ExpDate). */
export const expirationDate = (fact: TextFact & { readonly pattern: Pattern }): Field =>
  text({
    ...fact,
    label: 'Expiration Date',
    emptied: true,
    description: 'Month and year in which the card expires, e.g. 09/29, 09/2029 or 0929',
    placeholder: 'e.g. 09/29',
    tidy: asMonthAndYear,
    pattern: { ...fact.pattern, allowed: 'must be a month from 01 to 12 and a year, e.g. 09/29 for September 2029' },
  });

/** The card's security code. */
export const securityCode = (fact: DigitsFact): Field =>
  text({
    ...fact,
    label: 'Security Code',
    description: 'Three- or four-digit security code (CVV) of the card. The service never returns this code.',
    placeholder: 'e.g. 123',
    pattern: digits(SHORTEST_CODE, fact.pattern.longest),
  });

/** Routing number of a bank account for ACH payments. */
export const routingNumber = (fact: TextFact): Field =>
  text({
    ...fact,
    label: 'Bank Routing Number',
    description: 'Nine-digit routing number of the bank',
  });

/** Number of a bank account for ACH payments. */
export const accountNumber = (fact: TextFact): Field =>
  text({
    ...fact,
    label: 'Bank Account Number',
    description: 'Account number at the bank',
  });

/** Kind of bank account (openapi.yaml#AchAccountType). */
export const accountType = (fact: ChoiceFact<'C' | 'K' | 'S' | 'V'>): Field =>
  choice({
    ...fact,
    label: 'Bank Account Type',
    description: 'Type of bank account',
    options: [
      { name: 'Personal Checking', value: 'C' },
      { name: 'Personal Savings', value: 'S' },
      { name: 'Business Checking', value: 'K' },
      { name: 'Business Savings', value: 'V' },
    ],
    unset: 'Default (Personal Checking)',
  });

/** For operations whose answer can hold numbers in full, such as a payee's account (openapi.yaml#PayeeAccount). */
export const showAccountNumbers = (): Field =>
  boolean({
    name: 'showAccountNumbers',
    label: 'Show Full Account Numbers',
    description:
      'Whether to return full account, routing and card numbers instead of the last four digits, if the service provides them. n8n stores node output with the execution, so its database will contain the full numbers.',
    place: 'node',
  });
