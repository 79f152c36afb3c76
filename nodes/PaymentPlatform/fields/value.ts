import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { asText, isBlank, shortened, showInvisible } from '../shared/objects';
import { maskLongNumbers } from '../shared/privacy';
import { marksOf } from './kinds/composite';
import type { Convert, Field, FieldBase, FieldOptions, ValueField } from './types';

const isResourceLocator = (value: unknown): value is { value: unknown } =>
  typeof value === 'object' && value !== null && '__rl' in value;

/** Until a user opens a resource locator, n8n stores its default without the marker `__rl`. */
const isUnopened = (value: unknown): value is { value: unknown } =>
  typeof value === 'object' && value !== null && 'mode' in value && 'value' in value;

/** Text in which users see nothing is empty. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && isBlank(value));
}

/** For a resource locator, returns the selected or entered value. */
export function rawValue(parameters: IDataObject, name: string, type?: INodeProperties['type']): unknown {
  const given: unknown = parameters[name];
  const isPicked = isResourceLocator(given) || (type === 'resourceLocator' && isUnopened(given));
  const value = isPicked ? given.value : given;
  return typeof value === 'bigint' ? String(value) : value;
}

/** Mode of a resource locator in which users enter a reference, such as an order number. */
export const BY_REFERENCE = 'reference';

export const isReference = (given: unknown): given is { value?: unknown } =>
  typeof given === 'object' && given !== null && 'mode' in given && given.mode === BY_REFERENCE;

/** A reference without the ID of a single record. */
export class UnresolvedReference {
  constructor(
    readonly found: string,
    readonly allowed: string,
  ) {}
}

/** In a query, half a character becomes U+FFFD, so the service would search for another text. */
export const NO_HALF_CHARACTERS = 'must not contain half a character, e.g. half of an emoji that an expression cut';

const MISSING = /^(?:[Nn]ull|NULL|[Uu]ndefined|None|NaN|nan|[+-]?Infinity)$/;
const MISSING_PART = /undefined|\[object \w+\]|(?<![\p{L}\p{N}])(?:null|NaN|Invalid [Dd]ate(?:Time)?)(?![\p{L}\p{N}])/u;

/** Finds a word that programs write for a missing value, as in "INV-undefined". */
export const namesNothing = (text: string): boolean => MISSING.test(text.trim()) || MISSING_PART.test(text);

/** Such text would identify every item without a value. */
export const NO_MISSING_VALUE = 'must not contain a word for a missing value, such as null or undefined';

const MOST_SHOWN = 60;
/** A long number's first 12 digits can have 16 separators after each digit, and two code units per character. */
const LONGEST_START = 12 * (16 + 1) * 2;

/** Truncates long text, and hides secrets and long numbers. */
export function describe(value: unknown, secret = false): string {
  if (isEmpty(value)) return 'nothing';
  if (secret) return `a value of ${asText(value).length} characters`;
  const text = asText(value);
  const start = text.slice(0, MOST_SHOWN + LONGEST_START);
  if (maskLongNumbers(start) !== start) return formOf(value);
  const short = showInvisible(shortened(text, MOST_SHOWN));
  return typeof value === 'string' ? `"${short}"` : short;
}

/** A mask would hide the user's mistake, so the description shows the value's form instead. */
function formOf(value: unknown): string {
  const text = asText(value).trim();
  const { length } = text;
  if (typeof value === 'number') return `a number of ${text.replace(/\D/g, '').length} digits`;
  return /^\d+$/.test(text) ? `text of ${length} digits` : `text of ${length} characters with a long number in it`;
}

export const parameterName = ({ name, parameter = name }: Pick<FieldBase, 'name' | 'parameter'>): string => parameter;

export function commonParts(options: FieldOptions): FieldBase {
  return {
    name: options.name,
    ...(options.parameter !== undefined && { parameter: options.parameter }),
    ...(options.record !== undefined && { record: options.record }),
    label: options.label,
    place: options.place ?? 'body',
    required: options.required ?? false,
    secret: options.secret ?? false,
    ...marksOf(options),
  };
}

export function commonProperty(options: FieldOptions) {
  return {
    displayName: options.label,
    name: parameterName(options),
    description: options.description,
    ...(options.required && !options.unmarked && { required: true }),
    ...(options.placeholder !== undefined && { placeholder: options.placeholder }),
    ...(options.hint !== undefined && { hint: options.hint }),
    ...(options.displayOptions && { displayOptions: options.displayOptions }),
  };
}

type Look = Pick<INodeProperties, 'type' | 'default'> & Partial<INodeProperties>;

export const valueField = (options: FieldOptions, look: Look, convert: Convert): ValueField => ({
  ...commonParts(options),
  kind: 'value',
  property: { ...commonProperty(options), ...look },
  convert,
});

export const isSpread = (field: Field): boolean =>
  field.kind === 'section' || (field.kind === 'composite' && field.spread === true);
