import { createHmac, randomBytes } from 'node:crypto';

import { DateTime } from 'luxon';

/** Payment source in the sandbox, with a masked number for display and a fingerprint for comparison. */
export interface PaymentSource {
  /** First six digits, x characters and last four digits (openapi.yaml#MaskedNumber). */
  masked: string;
  card_type: CardType;
  exp_date?: string;
  /** Hash of the number with a random key. Equal numbers have equal fingerprints in one process. */
  fingerprint: string;
  /** Whether the sandbox declines every sale with the card. */
  declines?: true;
}

export type CardType = 'VS' | 'MC' | 'AM' | 'DS' | 'JC' | 'AP';

/** Test card that the sandbox always declines. */
export const DECLINE_CARD = '4000000000000002';

const fingerprintKey = randomBytes(32);

const BRANDS: ReadonlyArray<readonly [CardType, RegExp, readonly number[]]> = [
  ['VS', /^4/, [13, 16, 19]],
  ['MC', /^(5[1-5]|2[2-7])/, [16]],
  ['AM', /^3[47]/, [15]],
  ['JC', /^35/, [16]],
  ['DS', /^(6011|64|65|30|36|38)/, [14, 16]],
];

/** Returns whether the last digit of a card number is its valid check digit (Luhn algorithm). */
export function passesCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Masks a card number. Shows the first six and the last four digits. */
export function maskCardNumber(digits: string): string {
  return digits.slice(0, 6) + 'x'.repeat(Math.max(0, digits.length - 10)) + digits.slice(-4);
}

/** Masks an account number. Shows the last four digits if the number has at least eight digits. */
export function maskAccountNumber(digits: string): string {
  const shown = digits.length >= 8 ? 4 : 0;
  return 'x'.repeat(digits.length - shown) + digits.slice(digits.length - shown);
}

function fingerprintOf(kind: string, digits: string): string {
  return createHmac('sha256', fingerprintKey).update(`${kind}:${digits}`).digest('hex');
}

/**
 * Reads a card number.
 * @returns the masked card, or `undefined` if the digits, length, brand or check digit are invalid (rcode 108,
 *   service.md#test-environment).
 */
export function readCardNumber(cardNumber: string, expirationDate?: string): PaymentSource | undefined {
  if (!/^\d{13,19}$/.test(cardNumber) || !passesCheckDigit(cardNumber)) return undefined;
  const brand = BRANDS.find(([, prefix, lengths]) => prefix.test(cardNumber) && lengths.includes(cardNumber.length));
  if (!brand) return undefined;
  return {
    masked: maskCardNumber(cardNumber),
    card_type: brand[0],
    exp_date: expirationDate,
    fingerprint: fingerprintOf('card', cardNumber),
    ...(cardNumber === DECLINE_CARD && { declines: true }),
  };
}

/**
 * Reads an ACH account.
 * @returns the masked account, or `undefined` unless the routing number has nine digits and the account number has 4 to
 *   17 digits (rcode 119).
 */
export function readAccount(routingNumber: string, accountNumber: string): PaymentSource | undefined {
  if (!/^\d{9}$/.test(routingNumber) || !/^\d{4,17}$/.test(accountNumber)) return undefined;
  return {
    masked: maskAccountNumber(accountNumber),
    card_type: 'AP',
    fingerprint: fingerprintOf('account', `${routingNumber}:${accountNumber}`),
  };
}

/** Returns whether a text has the form MMYY with a valid month. The sandbox refuses other texts with rcode 107. */
export function isExpirationDate(text: string): boolean {
  return /^(0[1-9]|1[0-2])\d{2}$/.test(text);
}

/**
 * Returns whether the last day of the card's expiration month (UTC) has passed. A source without an expiration date
 * never expires.
 */
export function hasExpired({ exp_date }: Pick<PaymentSource, 'exp_date'>, now: DateTime): boolean {
  return exp_date !== undefined && DateTime.fromFormat(exp_date, 'MMyy', { zone: 'utc' }).endOf('month') < now;
}
