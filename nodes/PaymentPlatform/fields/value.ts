import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { maskLongNumbers } from '../shared/privacy';
import { marksOf } from './kinds/composite';
import type { Convert, FieldBase, FieldOptions, ValueField } from './types';

const isResourceLocator = (value: unknown): value is { value: unknown } =>
  typeof value === 'object' && value !== null && '__rl' in value;

/** The editor marks what it stores; where nobody opened a picker, n8n gives the default of the description as it is. */
const isUnopened = (value: unknown): value is { value: unknown } =>
  typeof value === 'object' && value !== null && 'mode' in value && 'value' in value;

/** Whether a value counts as "nothing given": undefined, null, or text without a visible character. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/**
 * The value as it stands in the parameters; a resource locator gives the value that was picked or typed, and a BigInt of
 * an expression is the text of its digits.
 * @param type of the parameter in the editor, where it is known.
 */
export function rawValue(parameters: IDataObject, name: string, type?: INodeProperties['type']): unknown {
  const given: unknown = parameters[name];
  const isPicked = isResourceLocator(given) || (type === 'resourceLocator' && isUnopened(given));
  const value = isPicked ? given.value : given;
  return typeof value === 'bigint' ? String(value) : value;
}

const MOST_SHOWN = 60;
/**
 * The first 12 digits of a long number take this many characters at most: 16 signs may stand before each digit, and a
 * sign or a digit may be two characters. So a long number that begins in the shown text is found without reading on.
 */
const LONGEST_START = 12 * (16 + 1) * 2;

/**
 * Says what was found without giving away what must stay private: secrets by their length only, text with a long number
 * by its form, long text cut.
 */
export function describe(value: unknown, secret = false): string {
  if (isEmpty(value)) return 'nothing';
  if (secret) return `a value of ${asText(value).length} characters`;
  const text = asText(value);
  const start = text.slice(0, MOST_SHOWN + LONGEST_START);
  if (maskLongNumbers(start) !== start) return formOf(value);
  const short = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN - 3)}...` : text;
  return typeof value === 'string' ? `"${short}"` : short;
}

/** The form of a value that must stay private: a masked value says nothing about what is wrong. */
function formOf(value: unknown): string {
  const text = asText(value).trim();
  const { length } = text;
  if (typeof value === 'number') return `a number of ${text.replace(/\D/g, '').length} digits`;
  return /^\d+$/.test(text) ? `text of ${length} digits` : `text of ${length} characters with a long number in it`;
}

/** The name of the parameter of a field. */
export const parameterName = ({ name, parameter = name }: Pick<FieldBase, 'name' | 'parameter'>): string => parameter;

/** The parts of a field that are the same for every kind. */
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

/** The parts of an editor parameter that are the same for every kind. */
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

/** How a value looks in the editor, beside what every parameter has. */
type Look = Pick<INodeProperties, 'type' | 'default'> & Partial<INodeProperties>;

/** A field of one parameter and one value. */
export const valueField = (options: FieldOptions, look: Look, convert: Convert): ValueField => ({
  ...commonParts(options),
  kind: 'value',
  property: { ...commonProperty(options), ...look },
  convert,
});
