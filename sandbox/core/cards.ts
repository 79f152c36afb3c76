import { createHmac, randomBytes } from 'node:crypto';

import { DateTime } from 'luxon';

/** Card or bank account with a masked number and a fingerprint for comparisons. */
export interface PaymentSource {
  masked: string;
  card_type: CardType;
  exp_date?: string;
  /** Keyed hash of the number. The same number has the same fingerprint within one process. */
  fingerprint: string;
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

/** Returns whether a card number has a valid check digit (Luhn algorithm). */
export function passesCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Shows only the first six and the last four digits of a card number. */
export function maskCardNumber(digits: string): string {
  return digits.slice(0, 6) + 'x'.repeat(Math.max(0, digits.length - 10)) + digits.slice(-4);
}

/** Masks an account number. Shows the last four digits of a number with at least eight digits. */
export function maskAccountNumber(digits: string): string {
  const shown = digits.length >= 8 ? 4 : 0;
  return 'x'.repeat(digits.length - shown) + digits.slice(digits.length - shown);
}

function fingerprintOf(kind: string, digits: string): string {
  return createHmac('sha256', fingerprintKey).update(`${kind}:${digits}`).digest('hex');
}

/**
 * Masks a card number.
 * @returns `undefined` for an invalid number (rcode 108, service.md#codes).
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
 * Masks a bank account.
 * @returns `undefined` unless the routing number has 9 digits and the account number has 4 to 17 digits.
 */
export function readAccount(routingNumber: string, accountNumber: string): PaymentSource | undefined {
  if (!/^\d{9}$/.test(routingNumber) || !/^\d{4,17}$/.test(accountNumber)) return undefined;
  return {
    masked: maskAccountNumber(accountNumber),
    card_type: 'AP',
    fingerprint: fingerprintOf('account', `${routingNumber}:${accountNumber}`),
  };
}

/** Returns whether the text is a valid MMYY date. */
export function isExpirationDate(text: string): boolean {
  return /^(0[1-9]|1[0-2])\d{2}$/.test(text);
}

/** Returns whether the card's expiration month (UTC) is over. */
export function hasExpired({ exp_date }: Pick<PaymentSource, 'exp_date'>, now: DateTime): boolean {
  return exp_date !== undefined && DateTime.fromFormat(exp_date, 'MMyy', { zone: 'utc' }).endOf('month') < now;
}
