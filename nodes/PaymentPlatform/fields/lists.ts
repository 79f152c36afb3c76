import { asText } from '../pipeline/objects';
import type { Field, FieldOptions, Problem } from './types';
import { group } from './group';
import { text } from './text';
import { commonParts, commonProperty, describe, isEmpty, rawValue } from './value';

/** One text per entry: a list in the editor, an array from an expression, or text with commas, also mixed. */
function entries(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((entry) => entries(entry));
  if (isEmpty(value)) return [];
  return typeof value === 'string' ? value.split(/[,;\n]/).filter((entry) => !isEmpty(entry)) : [value];
}

/** "Email Addresses" as the button that adds one of them says it. */
const singular = (label: string) => label.replace(/(ss)es$/, '$1').replace(/([^s])s$/, '$1');

function listField(options: FieldOptions, convert: (entry: string) => unknown, allowed: string): Field {
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
        const entry = asText(given).trim();
        const value = typeof given === 'object' ? undefined : convert(entry);
        if (value === undefined) problems.push({ label: options.label, found: describe(entry), allowed });
        return value;
      });
    },
  };
}

/** E-mail addresses, sent as an array of text. */
export const emailList = (options: FieldOptions): Field =>
  listField(
    options,
    (entry) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(entry) ? entry : undefined),
    'must be e-mail addresses such as ana@example.com, separated by commas',
  );

/** Names of one word each, e.g. of events, sent as an array of text. */
export const nameList = (options: FieldOptions): Field =>
  listField(
    options,
    (entry) => (/^\w{1,64}$/.test(entry) ? entry : undefined),
    'must be names of letters, digits and underscores, separated by commas',
  );

/** An international phone number as an integer, or `undefined` when its country prefix can't be told for sure. */
export function phoneAsInteger(entry: string): number | undefined {
  const bare = entry.replace(/[\s().\-/]/g, '');
  const digits = bare.replace(/^(\+|00)/, '');
  const hasPrefix = bare !== digits || digits.length > 10;
  return /^[1-9]\d{7,14}$/.test(digits) && hasPrefix ? Number(digits) : undefined;
}

/** Phone numbers, sent as an array of integers that begin with the country prefix (interface.md section 2.7). */
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
