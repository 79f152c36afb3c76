import type { INodeProperties } from 'n8n-workflow';

import { readField } from '../../nodes/PaymentPlatform/fields/read-field';
import type { Field, Problem } from '../../nodes/PaymentPlatform/fields/types';
import type { Operation } from '../../nodes/PaymentPlatform/model/types';
import { parameterName } from '../../nodes/PaymentPlatform/fields/value';
import { choicesOf } from './choices';

/** Values with one fault each: format, forbidden character, length, size, number of decimals, shape. */
const WRONG: Partial<Record<INodeProperties['type'], Array<string | number>>> = {
  string: ['\u0001', '|', '1'.repeat(100_000), '-1000000000000000', '10000000000000000', '0.123456789'],
  resourceLocator: ['\u0001', '1'.repeat(100_000)],
  dateTime: ['x'],
  json: ['x'],
};

/** Maximum number of listed choices. Longer lists, such as the codes of a standard, are abbreviated. */
const MOST_CHOICES = 40;

/** Returns the values that make this parameter apply, such as the JSON mode of a list. */
const beside = (field: Field, { name, type }: INodeProperties) =>
  type === 'json' && name !== parameterName(field) ? { [`${parameterName(field)}Mode`]: 'json' } : {};

/**
 * Returns the allowed values of a parameter in the words of the node's own refusals. The field's own checks produce these
 * words, so the page can't differ from the node. Choices are listed by name and stored value.
 */
export function limitsOf(operation: Operation, field: Field, property: INodeProperties): string[] {
  const choices = choicesOf(property, operation).map(({ name, value }) =>
    value === '' ? name : `${name} (\`${String(value)}\`)`,
  );
  if (choices.length > MOST_CHOICES) return [`${choices.slice(0, 3).join(', ')} and ${choices.length - 3} more`];
  if (choices.length > 0) return [choices.join(', ')];
  if (property.type === 'boolean') return ['True or false'];
  const allowed = (WRONG[property.type] ?? []).flatMap((value) => {
    const problems: Problem[] = [];
    readField(field, { ...beside(field, property), [property.name]: value }, problems, { timezone: 'utc' });
    return problems.map((problem) => problem.allowed);
  });
  return [...new Set(allowed.map(withoutMust))];
}

/** Keeps the rule of a refusal and drops its advice. */
const withoutMust = (allowed: string) =>
  allowed
    .replace(/^must (be|have) /, '')
    .replace(/ \(it has \d+\)$/, '')
    .replace(/^must /, '')
    .replace(/, (but can't be read as JSON|for its ID is wanted):.*$/, '');
