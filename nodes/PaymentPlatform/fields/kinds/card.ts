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
    description: 'Full number of the card; spaces and dashes are left out. The service returns it masked.',
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
    description: 'The three or four digits (CVV) printed on the card. The service never returns them.',
    placeholder: 'e.g. 123',
    pattern: digits(SHORTEST_CODE, fact.pattern.longest),
  });

/** Routing number of a bank account for ACH payments. */
export const routingNumber = (fact: TextFact): Field =>
  text({
    ...fact,
    label: 'Bank Routing Number',
    description: 'Nine-digit routing number of the bank, for ACH payments',
  });

/** Number of a bank account for ACH payments. */
export const accountNumber = (fact: TextFact): Field =>
  text({
    ...fact,
    label: 'Bank Account Number',
    description: 'Number of the bank account, for ACH payments',
  });

/** Kind of bank account (openapi.yaml#AchAccountType). */
export const accountType = (fact: ChoiceFact<'C' | 'K' | 'S' | 'V'>): Field =>
  choice({
    ...fact,
    label: 'Bank Account Type',
    description: 'Kind of bank account, for ACH payments',
    options: [
      { name: 'Personal Checking', value: 'C' },
      { name: 'Personal Savings', value: 'S' },
      { name: 'Business Checking', value: 'K' },
      { name: 'Business Savings', value: 'V' },
    ],
    unset: 'Not Given (Personal Checking)',
  });

/** For operations whose answer can hold numbers in full, such as a payee's account (openapi.yaml#PayeeAccount). */
export const showAccountNumbers = (): Field =>
  boolean({
    name: 'showAccountNumbers',
    label: 'Show Full Account Numbers',
    description:
      'Whether to return account, routing and card numbers in full where the service gives them, instead of their last four digits. n8n stores the output of every node with the execution, so full numbers would stand in its database.',
    place: 'node',
  });
