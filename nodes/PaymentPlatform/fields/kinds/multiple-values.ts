import { asText } from '../../shared/objects';
import { EMAIL_ADDRESS, text } from './text';
import type { FieldOptions, GroupField, ValueField } from '../types';
import { group } from './group';
import { phoneAsInteger, PHONE_EXAMPLE } from './phone';
import { isRounded } from './number';
import { describe, isEmpty, valueField } from '../value';

/** Splits a string or a list's strings at commas, semicolons and line breaks. */
export function entries(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((entry) => entries(entry));
  if (isEmpty(value)) return [];
  return typeof value === 'string' ? value.split(/[,;\n]/).filter((entry) => !isEmpty(entry)) : [value];
}

/** "Email Addresses" becomes "Email Address". */
const singular = (label: string) => label.replace(/(ss)es$/, '$1').replace(/([^s])s$/, '$1');

/** Removes the spaces around text. Returns any other value unchanged. */
export const trimmed = (entry: unknown) => (typeof entry === 'string' ? entry.trim() : entry);

function matching(entry: unknown, pattern: RegExp): string | undefined {
  const text = typeof entry === 'string' || typeof entry === 'number' ? asText(entry).trim() : '';
  return pattern.test(text) && !isRounded(entry) ? text : undefined;
}

function listField(options: FieldOptions, convert: (entry: unknown) => unknown, allowed: string): ValueField {
  const typeOptions = { multipleValues: true, multipleValueButtonText: `Add ${singular(options.label)}` };
  return valueField(options, { type: 'string', typeOptions, default: [] }, (value, problem) => {
    const found = entries(value);
    if (found.length === 0) return options.required ? problem('is required', { found: 'nothing' }) : undefined;
    return found.map((given) => convert(given) ?? problem(allowed, { found: describe(trimmed(given)) }));
  });
}

/** Field for email addresses, sent as an array. */
export const emailList = (options: FieldOptions & { type?: 'texts' }): ValueField =>
  listField(
    { ...options, caseInsensitive: true },
    (entry) => matching(entry, EMAIL_ADDRESS),
    'must be email addresses such as ana@example.com, separated by commas',
  );

/** Field for names without spaces, sent as an array. */
export const nameList = (options: FieldOptions & { type?: 'texts' }): ValueField =>
  listField(
    options,
    (entry) => matching(entry, /^\w{1,64}$/),
    'must be names separated by commas. A name contains only letters, digits and underscores',
  );

/** Field for phone numbers, sent as an array of integers (openapi.yaml#SendInvoiceRequest). */
export const phoneList = (options: FieldOptions & { type?: 'integers' }): ValueField =>
  listField(options, phoneAsInteger, `must be phone numbers with a country code, ${PHONE_EXAMPLE}`);

/** Field for names and values, sent as a JSON array in text form. */
export const nameValuePairs = (options: FieldOptions & { type?: 'pairs' }): GroupField =>
  group({
    ...options,
    type: 'list',
    itemLabel: 'Pair',
    fields: [
      text({ name: 'name', label: 'Name', description: 'Name in the pair', required: true, placeholder: 'e.g. order' }),
      text({ name: 'value', label: 'Value', description: 'Value in the pair', placeholder: 'e.g. A-1001' }),
    ],
    // A pair always contains a name and a value, so empty text replaces a missing one.
    encode: (pairs) => JSON.stringify([pairs].flat().map((pair) => ({ name: '', value: '', ...pair }))),
  });
