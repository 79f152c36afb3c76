import type { Pattern } from '../../wire/patterns';
import type { ChoiceOptions } from './choice';
import { composite } from './composite';
import { isRounded } from '../detect-rounding';
import type { Convert, JoinedField } from '../types';
import { parameterName, valueField } from '../value';
import { when } from './when';

/** Stored when a person wants to type a value that is not in the list. */
export const OTHER = '__other';

/** One of the known values, or any other that the person types: for names whose list is not known to be complete. */
export function openChoice(
  options: Omit<ChoiceOptions, 'type'> & { type?: 'text'; otherLabel: string; pattern: Pattern },
): JoinedField {
  const { otherLabel, pattern, options: known } = options;
  const convert: Convert = (value, problem) => {
    const wanted = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    return pattern.matches.test(wanted) && !isRounded(value) ? wanted : problem(pattern.allowed);
  };
  const listed = valueField(
    options,
    {
      type: 'options',
      options: [...known, { name: 'Other (Enter Name)', value: OTHER }],
      default: options.default ?? known[0]?.value ?? '',
    },
    (value, ...rest) => (value === OTHER ? OTHER : convert(value, ...rest)),
  );
  const typed = valueField(
    {
      name: `${parameterName(options)}Other`,
      label: otherLabel,
      description: `Name that the API uses`,
      required: true,
      unmarked: true,
    },
    { type: 'string', default: '' },
    convert,
  );
  return composite(listed, [listed, when(listed, [OTHER], typed)], ({ read }) => {
    const chosen = read(listed);
    return chosen === OTHER ? read(typed) : chosen;
  });
}
