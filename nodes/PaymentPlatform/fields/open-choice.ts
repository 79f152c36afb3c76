import type { ChoiceOptions } from './choice';
import { isRounded } from './rounded';
import type { Field } from './types';
import { commonParts, commonProperty, describe, isEmpty, rawValue } from './value';

/** Stored when a person wants to type a value that is not in the list. */
export const OTHER = '__other';

/** One of the known values, or any other that the person types: for names whose list is not known to be complete. */
export function openChoice(
  options: ChoiceOptions & { otherLabel: string; pattern: { matches: RegExp; allowed: string } },
): Field {
  const otherName = `${options.name}Other`;
  return {
    ...commonParts(options),
    properties: () => [
      {
        ...commonProperty(options),
        type: 'options',
        options: [...options.options, { name: 'Other (Type It)', value: OTHER }],
        default: options.default ?? options.options[0]?.value ?? '',
      },
      {
        displayName: options.otherLabel,
        name: otherName,
        type: 'string',
        default: '',
        description: `${options.otherLabel} as the service names it`,
        displayOptions: { show: { [options.name]: [OTHER] } },
      },
    ],
    read: (parameters, problems) => {
      const chosen = rawValue(parameters, options.name);
      const typed = chosen === OTHER;
      const value = typed ? rawValue(parameters, otherName) : chosen;
      if (isEmpty(value) && !options.required && !typed) return undefined;
      const wanted = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
      if (options.pattern.matches.test(wanted) && !isRounded(value)) return wanted;
      problems.push({
        label: typed ? options.otherLabel : options.label,
        found: describe(value),
        allowed: options.pattern.allowed,
      });
      return undefined;
    },
  };
}
