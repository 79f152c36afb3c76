import { asText } from '../../shared/objects';
import { checkText } from './text';
import type { FieldOptions, ValueField } from '../types';
import { valueField } from '../value';

export const PHONE_EXAMPLE = 'e.g. +1 202 555 0143';
const ONE_PHONE = `must be a phone number of at most 15 digits with a country code, ${PHONE_EXAMPLE}`;

/** Maximum length including the country code (ITU E.164). */
const MOST_DIGITS = 15;
/**
 * Removing separators would turn these into other numbers: "12025550143.0" from a spreadsheet, a national zero as in
 * "+44 (0)20", or a second number as in "0143/44".
 */
const AMBIGUOUS = /\d{7}\.\d{1,2}$|\(0+\)|\/\s*\d{1,3}$/;

/** `marked` is true if the number begins with + or 00. */
export interface PhoneDigits {
  digits: string;
  marked: boolean;
}

/** Returns `undefined` if the value is ambiguous or isn't a phone number. */
export function phoneDigits(value: unknown): PhoneDigits | undefined {
  if (typeof value === 'number' && !(Number.isSafeInteger(value) && value > 0)) return undefined;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const written = asText(value).trim();
  if (AMBIGUOUS.test(written)) return undefined;
  const bare = written.replace(/[\s().\-/]/g, '');
  const digits = bare.replace(/^(\+|00)/, '');
  // The request contains an integer, which would lose a leading zero.
  return /^[1-9]\d*$/.test(digits) && digits.length <= MOST_DIGITS ? { digits, marked: bare !== digits } : undefined;
}

/** Returns `undefined` if the country code is uncertain. */
export function phoneAsInteger(value: unknown): number | undefined {
  const phone = phoneDigits(value);
  if (!phone || phone.digits.length < 8) return undefined;
  return phone.marked || phone.digits.length > 10 ? Number(phone.digits) : undefined;
}

type PhoneOptions = FieldOptions & { maxLength?: number };

/** Sent as entered, with a country code. */
export const phoneText = (options: PhoneOptions & { type?: 'text' }): ValueField =>
  valueField({ placeholder: PHONE_EXAMPLE, ...options }, { type: 'string', default: '' }, (value, problem, context) =>
    phoneAsInteger(value) === undefined ? problem(ONE_PHONE) : checkText(options)(value, problem, context),
  );

/** Sent as an integer, with a country code. */
export const phoneNumber = (options: FieldOptions & { type?: 'integer' }): ValueField =>
  valueField(
    { placeholder: PHONE_EXAMPLE, ...options },
    { type: 'string', default: '' },
    (value, problem) => phoneAsInteger(value) ?? problem(ONE_PHONE),
  );
