import { asText } from '../shared/objects';
import { group } from './group';
import { phoneAsInteger } from './phone';
import { isRounded } from './rounded';
import { text } from './text';
import type { Field, FieldOptions, Problem } from './types';
import { commonParts, commonProperty, describe, isEmpty, rawValue } from './value';

/** One text per entry: a list in the editor, an array from an expression, or text with commas, also mixed. */
function entries(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((entry) => entries(entry));
  if (isEmpty(value)) return [];
  return typeof value === 'string' ? value.split(/[,;\n]/).filter((entry) => !isEmpty(entry)) : [value];
}

/** "Email Addresses" as the button that adds one of them says it. */
const singular = (label: string) => label.replace(/(ss)es$/, '$1').replace(/([^s])s$/, '$1');

const trimmed = (entry: unknown) => (typeof entry === 'string' ? entry.trim() : entry);

/** An entry that is text, or a number that is exact, and looks as it must. */
function matching(entry: unknown, pattern: RegExp): string | undefined {
  const text = typeof entry === 'string' || typeof entry === 'number' ? asText(entry).trim() : '';
  return pattern.test(text) && !isRounded(entry) ? text : undefined;
}

function listField(options: FieldOptions, convert: (entry: unknown) => unknown, allowed: string): Field {
  return {
    ...commonParts(options),
    properties: () => [
      {
        ...commonProperty(options),
        type: 'string',
        typeOptions: { multipleValues: true, multipleValueButtonText: `Add ${singular(options.label)}` },
        default: [],
      },
    ],
    read: (parameters, problems: Problem[]) => {
      const found = entries(rawValue(parameters, options.name));
      if (found.length === 0) {
        if (options.required) problems.push({ label: options.label, found: 'nothing', allowed: 'is required' });
        return undefined;
      }
      return found.map((given) => {
        const value = convert(given);
        if (value === undefined) problems.push({ label: options.label, found: describe(trimmed(given)), allowed });
        return value;
      });
    },
  };
}

/** E-mail addresses, sent as an array of text. */
export const emailList = (options: FieldOptions): Field =>
  listField(
    options,
    (entry) => matching(entry, /^[^\s@]+@[^\s@]+\.[^\s@]+$/),
    'must be e-mail addresses such as ana@example.com, separated by commas',
  );

/** Names of one word each, e.g. of events, sent as an array of text. */
export const nameList = (options: FieldOptions): Field =>
  listField(
    options,
    (entry) => matching(entry, /^\w{1,64}$/),
    'must be names of letters, digits and underscores, separated by commas',
  );

/** Phone numbers, sent as an array of integers that begin with the country prefix (openapi.yaml#SendInvoiceRequest). */
export const phoneList = (options: FieldOptions): Field =>
  listField(options, phoneAsInteger, 'must be phone numbers with a country prefix, e.g. +1 202 555 0143');

/** Name and value pairs; on the wire a JSON-encoded array of name/value objects in one text (echo_fields, report_data). */
export const nameValuePairs = (options: FieldOptions): Field =>
  group({
    ...options,
    list: true,
    itemLabel: 'Pair',
    fields: [
      text({ name: 'name', label: 'Name', description: 'Name of the pair', required: true, placeholder: 'e.g. order' }),
      text({ name: 'value', label: 'Value', description: 'Value of the pair', placeholder: 'e.g. A-1001' }),
    ],
    encode: (pairs) => JSON.stringify(pairs),
  });
