import type { INodeProperties } from 'n8n-workflow';

import { OTHER } from '../../nodes/PaymentPlatform/fields/kinds/open-choice';
import { readField } from '../../nodes/PaymentPlatform/fields/read-field';
import type { Field, Problem } from '../../nodes/PaymentPlatform/fields/types';
import { parameterOf } from '../../nodes/PaymentPlatform/fields/value';

/** Values that are wrong in one way each: form, forbidden sign, length, size, number of decimals, shape. */
const WRONG: Partial<Record<INodeProperties['type'], Array<string | number>>> = {
  string: ['\u0001', '|', '1'.repeat(100_000), '-1000000000000000', '10000000000000000', '0.123456789'],
  resourceLocator: ['\u0001', '1'.repeat(100_000)],
  dateTime: ['x'],
  json: ['x'],
};

/** More would be a page of their own: the codes of a standard. */
const MOST_CHOICES = 40;

/** What else is stored when this parameter counts: a list's JSON alternative, or a value that is typed. */
const beside = (field: Field, { name, type }: INodeProperties) => ({
  ...(type === 'json' && name !== parameterOf(field) && { [`${parameterOf(field)}Mode`]: 'json' }),
  ...(name === `${parameterOf(field)}Other` && { [parameterOf(field)]: OTHER }),
});

/**
 * What a parameter of a field takes, in the words in which the node refuses anything else: asked of the field's own checks, so that
 * the text can't differ from what happens. A list of choices is given by name and stored value.
 */
export function limitsOf(field: Field, property: INodeProperties): string[] {
  const choices = (property.options ?? []).flatMap((option) =>
    'value' in option ? [option.value === '' ? option.name : `${option.name} (\`${String(option.value)}\`)`] : [],
  );
  if (choices.length > MOST_CHOICES) return [`${choices.slice(0, 3).join(', ')} and ${choices.length - 3} others`];
  if (choices.length > 0) return [choices.join(', ')];
  if (property.type === 'boolean') return ['true or false'];
  const allowed = (WRONG[property.type] ?? []).flatMap((value) => {
    const problems: Problem[] = [];
    readField(field, { ...beside(field, property), [property.name]: value }, problems, { timezone: 'utc' });
    return problems.map((problem) => problem.allowed);
  });
  return [...new Set(allowed.map(withoutMust))];
}

const withoutMust = (allowed: string) =>
  allowed
    .replace(/^must (be|have) /, '')
    .replace(/ \(it has \d+\)$/, '')
    .replace(/^must /, '');
