import type { INodePropertyOptions } from 'n8n-workflow';

import type { Field, FieldOptions } from './types';
import { commonParts, commonProperty, readOne } from './value';

/** A value as one word; a list or an object is none, even if only one word stands in it. */
const wordOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value).trim() : '';

/** Yes or no. Text and numbers from expressions are understood: "true", "no", 1. */
export function boolean(options: FieldOptions): Field {
  return {
    ...commonParts(options),
    properties: () => [{ ...commonProperty(options), type: 'boolean', default: options.default ?? false }],
    read: readOne(options, (value, problem) => {
      if (typeof value === 'boolean') return value;
      const word = wordOf(value).toLowerCase();
      if (['true', 'yes', '1'].includes(word)) return true;
      if (['false', 'no', '0'].includes(word)) return false;
      return problem('must be true or false');
    }),
  };
}

export interface ChoiceOptions extends FieldOptions {
  options: INodePropertyOptions[];
  /** Says why a value that a person might try is not among the options. */
  refused?: Record<string, string>;
}

/** One of a fixed set. An expression may give the value or its name; neither depends on upper or lower case. */
export function choice(options: ChoiceOptions): Field {
  return {
    ...commonParts(options),
    properties: () => [
      {
        ...commonProperty(options),
        type: 'options',
        options: options.options,
        default: options.default ?? options.options[0]?.value ?? '',
      },
    ],
    read: readOne(options, (value, problem) => {
      const wanted = wordOf(value);
      const exact = options.options.find((option) => String(option.value) === wanted);
      if (exact) return exact.value;
      const alike = options.options.filter(({ name, value: own }) =>
        [String(own), name].some((word) => word.toLowerCase() === wanted.toLowerCase()),
      );
      if (alike.length === 1 && alike[0]) return alike[0].value;
      const reason = options.refused?.[wanted.toUpperCase()];
      const list = options.options.map((option) => `${String(option.value)} (${option.name})`).join(', ');
      return problem(reason ?? `must be one of: ${list}`);
    }),
  };
}
