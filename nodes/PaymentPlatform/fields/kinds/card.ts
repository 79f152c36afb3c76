import type { DateTime } from 'luxon';
import type { ChoiceFact, TextFact } from '../../wire/facts';
import { type DigitsPattern, type Pattern, digits } from '../../wire/patterns';
import type { Field, ValueField } from '../types';
import { boolean, choice } from './choice';
import { isRounded, KEEP_ZEROS } from './number';
import { text } from './text';

/** Returns other text unchanged. */
export const withoutGroups = (written: string): string =>
  /^\d+(?:[ \u00a0-]\d+)+$/.test(written) ? written.replace(/\D/g, '') : written;

/** Matches 09/29, 9/29, 09/2029 and 09-29. */
const MONTH_AND_YEAR = /^(?<month>\d{1,2})\s*[/\-. ]\s*(?:20)?(?<year>\d{2})$/;
/** A spreadsheet converts 0929 to 929. */
const WITHOUT_ZERO = /^[1-9]\d{2}$/;

/** Converts to MMYY. Returns other text unchanged. */
export function asMonthAndYear(written: string): string {
  const parts = MONTH_AND_YEAR.exec(written)?.groups;
  const digits = parts ? `${parts.month}${parts.year}` : written;
  return parts || WITHOUT_ZERO.test(digits) ? digits.padStart(4, '0') : digits;
}

/**
 * Returns whether a card has expired, or `undefined` for an invalid month. A card is valid through its expiration
 * month.
 * @param written MMYY, in this century.
 */
export function isExpired(written: string, today: DateTime): boolean | undefined {
  const [, month, year] = /^(0[1-9]|1[0-2])(\d\d)$/.exec(written) ?? [];
  return month === undefined ? undefined : `20${year}-${month}` < today.toFormat('yyyy-MM');
}

type DigitsFact = TextFact & { readonly pattern: DigitsPattern };

/** The interface accepts shorter card numbers, but these are always mistakes. */
const SHORTEST_CARD = 12;
const SHORTEST_CODE = 3;

/** Messages never contain its value (service.md#card-data). */
export const cardNumber = (fact: DigitsFact): Field =>
  text({
    ...fact,
    label: 'Card Number',
    description: 'Full card number. The node removes spaces and dashes.',
    placeholder: 'e.g. 4111 1111 1111 1111',
    tidy: withoutGroups,
    pattern: {
      ...digits(SHORTEST_CARD, fact.pattern.longest),
      allowed: `must be ${SHORTEST_CARD} to ${fact.pattern.longest} digits`,
    },
  });

/** Sent as MMYY (openapi.yaml#ExpDate). */
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

export const securityCode = (fact: DigitsFact): Field =>
  text({
    ...fact,
    label: 'Security Code',
    description: 'Three- or four-digit security code of the card (CVV)',
    placeholder: 'e.g. 123',
    pattern: digits(SHORTEST_CODE, fact.pattern.longest),
  });

/** Refuses a number that may have lost leading zeros, because it would name another account. */
const withZeros = (field: ValueField, isComplete: (number: number) => boolean): ValueField => ({
  ...field,
  convert: (value, problem, context) =>
    typeof value === 'number' && !isRounded(value) && !isComplete(value)
      ? problem(KEEP_ZEROS)
      : field.convert(value, problem, context),
});

const LEAST_ROUTING_NUMBER = 100_000_000;

export const routingNumber = (fact: TextFact): Field =>
  withZeros(
    text({
      ...fact,
      label: 'Bank Routing Number',
      description: 'Nine-digit routing number of the bank',
    }),
    (number) => number >= LEAST_ROUTING_NUMBER,
  );

export const accountNumber = (fact: TextFact): Field =>
  withZeros(
    text({
      ...fact,
      label: 'Bank Account Number',
      description: 'Account number at the bank',
    }),
    () => false,
  );

/** Type of a bank account (openapi.yaml#AchAccountType). */
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

/** Makes an operation return bank account numbers in full (openapi.yaml#PayeeAccount). */
export const showAccountNumbers = (): Field =>
  boolean({
    name: 'showAccountNumbers',
    label: 'Show Full Account Numbers',
    description:
      "Whether to return full account, routing and card numbers instead of the last four digits, and secrets such as security keys, if the service provides them. n8n stores node output with the execution, so n8n's database will contain these values.",
    place: 'node',
  });
