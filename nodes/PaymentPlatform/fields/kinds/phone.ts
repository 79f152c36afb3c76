import { asText } from '../../shared/objects';
import { checkText } from './text';
import type { FieldOptions, ValueField } from '../types';
import { valueField } from '../value';

/** How messages and parameters show one. */
export const PHONE_EXAMPLE = 'e.g. +1 202 555 0143';
const ONE_PHONE = `must be a phone number of at most 15 digits with its country prefix, ${PHONE_EXAMPLE}`;

/** Longest international number (ITU E.164), country prefix included. */
const MOST_DIGITS = 15;
/**
 * What would become another number once signs are left out: the decimals of a spreadsheet ("12025550143.0"), a zero that
 * belongs to calls at home ("+44 (0)20"), and a second number that is only begun ("0143/44").
 */
const AMBIGUOUS = /\d{7}\.\d{1,2}$|\(0+\)|\/\s*\d{1,3}$/;

/** The digits of a phone number as it is written internationally, and whether it says so by + or 00. */
export interface PhoneDigits {
  digits: string;
  marked: boolean;
}

/** The digits of a phone number, however it is grouped, or `undefined` when it is none or can be read in two ways. */
export function phoneDigits(value: unknown): PhoneDigits | undefined {
  if (typeof value === 'number' && !(Number.isSafeInteger(value) && value > 0)) return undefined;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const written = asText(value).trim();
  if (AMBIGUOUS.test(written)) return undefined;
  const bare = written.replace(/[\s().\-/]/g, '');
  const digits = bare.replace(/^(\+|00)/, '');
  // A zero at the beginning would be lost: the interface takes an integer.
  return /^[1-9]\d*$/.test(digits) && digits.length <= MOST_DIGITS ? { digits, marked: bare !== digits } : undefined;
}

/** An international phone number as an integer, or `undefined` when its country prefix can't be told for sure. */
export function phoneAsInteger(value: unknown): number | undefined {
  const phone = phoneDigits(value);
  if (!phone || phone.digits.length < 8) return undefined;
  return phone.marked || phone.digits.length > 10 ? Number(phone.digits) : undefined;
}

type PhoneOptions = FieldOptions & { maxLength?: number };

/** A phone number with its country prefix, sent as the text that was given. */
export const phoneText = (options: PhoneOptions & { type?: 'text' }): ValueField =>
  valueField({ placeholder: PHONE_EXAMPLE, ...options }, { type: 'string', default: '' }, (value, problem, context) =>
    phoneAsInteger(value) === undefined ? problem(ONE_PHONE) : checkText(options)(value, problem, context),
  );

/** A phone number with its country prefix, sent as an integer. */
export const phoneNumber = (options: FieldOptions & { type?: 'integer' }): ValueField =>
  valueField(
    { placeholder: PHONE_EXAMPLE, ...options },
    { type: 'string', default: '' },
    (value, problem) => phoneAsInteger(value) ?? problem(ONE_PHONE),
  );
