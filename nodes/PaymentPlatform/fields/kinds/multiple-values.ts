import { asText, withoutInvisible } from '../../shared/objects';
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

/** Returns any other value unchanged. */
export const trimmed = (entry: unknown) => (typeof entry === 'string' ? entry.trim() : entry);

function matching(entry: unknown, pattern: RegExp): string | undefined {
  const text = typeof entry === 'string' || typeof entry === 'number' ? asText(entry).trim() : '';
  return pattern.test(text) && !isRounded(entry) ? text : undefined;
}

/** Keeps the first of several equal entries, so that no recipient receives a message twice. */
function withoutCopies<One>(values: One[], keyOf: (value: One) => string): One[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const isNew = !seen.has(keyOf(value));
    seen.add(keyOf(value));
    return isNew;
  });
}

/** Removes invisible characters and copies. */
export const addressesIn = (value: unknown): string[] =>
  withoutCopies(
    entries(value).flatMap((entry) => withoutInvisible(asText(entry)).split(/\s+/).filter(Boolean)),
    (address) => address.toLowerCase(),
  );

function listField(options: FieldOptions, convert: (entry: unknown) => unknown, allowed: string): ValueField {
  const typeOptions = { multipleValues: true, multipleValueButtonText: `Add ${singular(options.label)}` };
  return valueField(options, { type: 'string', typeOptions, default: [] }, (value, problem) => {
    const found = entries(value);
    if (found.length === 0) return options.required ? problem('is required', { found: 'nothing' }) : undefined;
    const values = found.map((given) => convert(given) ?? problem(allowed, { found: describe(trimmed(given)) }));
    return withoutCopies(values, (value) => (options.caseInsensitive ? asText(value).toLowerCase() : asText(value)));
  });
}

export const emailList = (options: FieldOptions & { type?: 'texts' }): ValueField =>
  listField(
    { ...options, caseInsensitive: true },
    (entry) => matching(entry, EMAIL_ADDRESS),
    'must be email addresses such as ana@example.com, separated by commas',
  );

export const nameList = (options: FieldOptions & { type?: 'texts' }): ValueField =>
  listField(
    options,
    (entry) => matching(entry, /^\w{1,64}$/),
    'must be names separated by commas. A name contains only letters, digits and underscores',
  );

/** Sent as an array of integers (openapi.yaml#SendInvoiceRequest). */
export const phoneList = (options: FieldOptions & { type?: 'integers' }): ValueField =>
  listField(options, phoneAsInteger, `must be phone numbers with a country code, ${PHONE_EXAMPLE}`);

/** Sent as a JSON array in text form. */
export const nameValuePairs = (options: FieldOptions & { type?: 'pairs' }): GroupField =>
  group({
    ...options,
    type: 'list',
    itemLabel: 'Pair',
    fields: [
      text({ name: 'name', label: 'Name', description: 'Name in the pair', required: true, placeholder: 'e.g. order' }),
      text({ name: 'value', label: 'Value', description: 'Value in the pair', placeholder: 'e.g. A-1001' }),
    ],
    // Empty text replaces a missing name or value.
    encode: (pairs) => JSON.stringify([pairs].flat().map((pair) => ({ name: '', value: '', ...pair }))),
  });
