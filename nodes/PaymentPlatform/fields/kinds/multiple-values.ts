import { asText } from '../../shared/objects';
import { EMAIL_ADDRESS, text } from './text';
import type { FieldOptions, GroupField, ValueField } from '../types';
import { group } from './group';
import { phoneAsInteger, PHONE_EXAMPLE } from './phone';
import { isRounded } from './number';
import { describe, isEmpty, valueField } from '../value';

/**
 * Splits a value into its entries. The value can be a list from the editor, an array from an expression, or text with
 * commas. A list can also contain text with commas.
 */
export function entries(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((entry) => entries(entry));
  if (isEmpty(value)) return [];
  return typeof value === 'string' ? value.split(/[,;\n]/).filter((entry) => !isEmpty(entry)) : [value];
}

/** Returns a label in the singular for the Add button: "Email Addresses" becomes "Email Address". */
const singular = (label: string) => label.replace(/(ss)es$/, '$1').replace(/([^s])s$/, '$1');

/** Removes the spaces around text. Returns any other value unchanged. */
export const trimmed = (entry: unknown) => (typeof entry === 'string' ? entry.trim() : entry);

/** Returns an entry as text. Returns `undefined` if the text doesn't match the pattern or the entry has lost digits. */
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

/** Field for email addresses, sent as an array of text. */
export const emailList = (options: FieldOptions & { type?: 'texts' }): ValueField =>
  listField(
    { ...options, caseInsensitive: true },
    (entry) => matching(entry, EMAIL_ADDRESS),
    'must be email addresses such as ana@example.com, separated by commas',
  );

/** Field for names without spaces, such as event names, sent as an array of text. */
export const nameList = (options: FieldOptions & { type?: 'texts' }): ValueField =>
  listField(
    options,
    (entry) => matching(entry, /^\w{1,64}$/),
    'must be names separated by commas. A name contains only letters, digits and underscores',
  );

/** Field for phone numbers with a country code, sent as an array of integers (openapi.yaml#SendInvoiceRequest). */
export const phoneList = (options: FieldOptions & { type?: 'integers' }): ValueField =>
  listField(options, phoneAsInteger, `must be phone numbers with a country code, ${PHONE_EXAMPLE}`);

/** Field for name and value pairs, sent as text that contains a JSON array (echo_fields, report_data). */
export const nameValuePairs = (options: FieldOptions & { type?: 'pairs' }): GroupField =>
  group({
    ...options,
    type: 'list',
    itemLabel: 'Pair',
    fields: [
      text({ name: 'name', label: 'Name', description: 'Name of the pair', required: true, placeholder: 'e.g. order' }),
      text({ name: 'value', label: 'Value', description: 'Value of the pair', placeholder: 'e.g. A-1001' }),
    ],
    // Sends empty text for a missing name or value, because a pair always contains both members.
    encode: (pairs) => JSON.stringify([pairs].flat().map((pair) => ({ name: '', value: '', ...pair }))),
  });
