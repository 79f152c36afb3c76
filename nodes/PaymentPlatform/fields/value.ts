import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { maskLongNumbers } from '../shared/privacy';
import type { Field, FieldOptions, Problem, ReadContext } from './types';

const isResourceLocator = (value: unknown): value is { value: unknown } =>
  typeof value === 'object' && value !== null && '__rl' in value;

/** Whether a value counts as "nothing given": undefined, null, or text without a visible character. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/**
 * The value as it stands in the parameters; a resource locator gives the value that was picked or typed, and a BigInt of
 * an expression is the text of its digits.
 */
export function rawValue(parameters: IDataObject, name: string): unknown {
  const given: unknown = parameters[name];
  const value = isResourceLocator(given) ? given.value : given;
  return typeof value === 'bigint' ? String(value) : value;
}

/**
 * Says what was found without giving away what must stay private: secrets by their length only, long digit runs
 * with all but the last four digits hidden, long text cut.
 */
export function describe(value: unknown, secret = false): string {
  if (isEmpty(value)) return 'nothing';
  if (secret) return `a value of ${asText(value).length} characters`;
  const text = maskLongNumbers(asText(value));
  const short = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  return typeof value === 'string' ? `"${short}"` : short;
}

/** How one value is turned into its wire form; `problem` reports what is allowed and gives `undefined`. */
export type Convert = (value: unknown, problem: (allowed: string) => undefined, context: ReadContext) => unknown;

/**
 * Builds the `read` of a field that holds one value: nothing given is reported when the field is required and
 * otherwise sends nothing.
 */
export function readOne(options: FieldOptions, convert: Convert): Field['read'] {
  return (parameters, problems: Problem[], context) => {
    const value = rawValue(parameters, options.name);
    const problem = (allowed: string): undefined => {
      problems.push({ label: options.label, found: describe(value, options.secret), allowed });
      return undefined;
    };
    if (isEmpty(value)) return options.required ? problem('is required') : undefined;
    return convert(value, problem, context);
  };
}

/** The parts of a field that are the same for every kind. */
export function commonParts(
  options: FieldOptions,
): Pick<Field, 'name' | 'label' | 'place' | 'required' | 'secret' | 'wording'> {
  return {
    name: options.name,
    label: options.label,
    place: options.place ?? 'body',
    required: options.required ?? false,
    secret: options.secret ?? false,
    ...(options.wording !== undefined && { wording: options.wording }),
  };
}

/** The parts of an editor parameter that are the same for every kind. */
export function commonProperty(options: FieldOptions) {
  return {
    displayName: options.label,
    name: options.name,
    description: options.description,
    ...(options.required && { required: true }),
    ...(options.placeholder !== undefined && { placeholder: options.placeholder }),
    ...(options.hint !== undefined && { hint: options.hint }),
    ...(options.displayOptions && { displayOptions: options.displayOptions }),
  };
}
