import { boolean, choice } from './choice';
import { digits, monthAndYear, text } from './text';
import type { Field } from './types';

/** The number of a card, as a secret (docs/service.md#card-data). */
export const cardNumber = (
  options: { required?: boolean; longest?: number; show?: Record<string, string[]> } = {},
): Field =>
  text({
    name: 'card_number',
    label: 'Card Number',
    description: 'Full number of the card, digits only. The service returns it masked.',
    placeholder: 'e.g. 4111111111111111',
    secret: true,
    pattern: digits(12, options.longest ?? 19),
    required: options.required,
    ...(options.show && { displayOptions: { show: options.show } }),
  });

/** The month in which a card expires, MMYY (openapi.yaml#ExpDate). */
export const expirationDate = (required = false): Field =>
  text({
    name: 'exp_date',
    label: 'Expiration Date',
    description: 'Month and year in which the card expires, as MMYY',
    placeholder: 'e.g. 0929',
    required,
    pattern: monthAndYear,
  });

/** The card's security code. */
export const securityCode = (): Field =>
  text({
    name: 'cvv2',
    label: 'Security Code',
    description: 'The three or four digits (CVV) printed on the card. The service never returns them.',
    placeholder: 'e.g. 123',
    secret: true,
    pattern: digits(3, 4),
  });

/** Routing number of a bank account for ACH payments. */
export const routingNumber = (required = false): Field =>
  text({
    name: 'tr_number',
    label: 'Bank Routing Number',
    description: 'Nine-digit routing number of the bank, for ACH payments',
    secret: true,
    required,
    pattern: digits(9, 9),
  });

/** Number of a bank account for ACH payments. */
export const accountNumber = (required = false): Field =>
  text({
    name: 'dda_number',
    label: 'Bank Account Number',
    description: 'Number of the bank account, for ACH payments',
    secret: true,
    required,
    pattern: digits(1, 17),
  });

/** Kind of bank account (openapi.yaml#AchAccountType). */
export const accountType = (): Field =>
  choice({
    name: 'type_id',
    label: 'Bank Account Type',
    description: 'Kind of bank account, for ACH payments',
    options: [
      { name: 'Business Checking', value: 'K' },
      { name: 'Business Savings', value: 'V' },
      { name: 'Personal Checking', value: 'C' },
      { name: 'Personal Savings', value: 'S' },
    ],
    default: 'C',
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
