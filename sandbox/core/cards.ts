import { createHmac, randomBytes } from 'node:crypto';

import { DateTime } from 'luxon';

/** A payment source as stored by the sandbox. Contains a masked number for display and a fingerprint for comparison. */
export interface PaymentSource {
  /** First digits, x characters, last four digits (openapi.yaml#MaskedNumber). */
  masked: string;
  card_type: CardType;
  exp_date?: string;
  /** Identical for identical numbers within one process. Reveals nothing about the number. */
  fingerprint: string;
  /** Whether this is the decline card. */
  declines?: true;
}

export type CardType = 'VS' | 'MC' | 'AM' | 'DS' | 'JC' | 'AP';

/** Card that every sale declines. The sandbox defines this card for tests of declined payments. */
export const DECLINE_CARD = '4000000000000002';

const fingerprintKey = randomBytes(32);

const BRANDS: ReadonlyArray<readonly [CardType, RegExp, readonly number[]]> = [
  ['VS', /^4/, [13, 16, 19]],
  ['MC', /^(5[1-5]|2[2-7])/, [16]],
  ['AM', /^3[47]/, [15]],
  ['JC', /^35/, [16]],
  ['DS', /^(6011|64|65|30|36|38)/, [14, 16]],
];

/** Returns whether the digits pass the check-digit rule (modulo 10) of card numbers. */
export function passesCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Masks a card number: first six digits, x characters, last four digits. */
export function maskCardNumber(digits: string): string {
  return digits.slice(0, 6) + 'x'.repeat(Math.max(0, digits.length - 10)) + digits.slice(-4);
}

/** Masks an account number with x characters. Keeps the last four digits if enough digits stay hidden. */
export function maskAccountNumber(digits: string): string {
  const shown = digits.length >= 8 ? 4 : 0;
  return 'x'.repeat(digits.length - shown) + digits.slice(digits.length - shown);
}

function fingerprintOf(kind: string, digits: string): string {
  return createHmac('sha256', fingerprintKey).update(`${kind}:${digits}`).digest('hex');
}

/**
 * Reads a card number.
 * @returns its masked form, or `undefined` if the digits, length, brand or check digit are invalid
 * (rcode 108, service.md#test-environment).
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
 * @returns its masked form, or `undefined` unless the routing number has nine digits and the account number has
 * 4 to 17 digits (rcode 119).
 */
export function readAccount(routingNumber: string, accountNumber: string): PaymentSource | undefined {
  if (!/^\d{9}$/.test(routingNumber) || !/^\d{4,17}$/.test(accountNumber)) return undefined;
  return {
    masked: maskAccountNumber(accountNumber),
    card_type: 'AP',
    fingerprint: fingerprintOf('account', `${routingNumber}:${accountNumber}`),
  };
}

/** Returns whether a text has the form MMYY with a valid month. Other texts cause rcode 107. */
export function isExpirationDate(text: string): boolean {
  return /^(0[1-9]|1[0-2])\d{2}$/.test(text);
}

/**
 * Returns whether the last day of a card's expiration month (UTC) has passed. A source without a date doesn't expire.
 */
export function hasExpired({ exp_date }: Pick<PaymentSource, 'exp_date'>, now: DateTime): boolean {
  return exp_date !== undefined && DateTime.fromFormat(exp_date, 'MMyy', { zone: 'utc' }).endOf('month') < now;
}
