import type { INodeProperties } from 'n8n-workflow';

import type { Field, Problem } from '../../nodes/PaymentPlatform/fields/types';

/** Values that are wrong in one way each: form, forbidden sign, length, size, number of decimals, shape. */
const WRONG: Partial<Record<INodeProperties['type'], Array<string | number>>> = {
  string: ['\u0001', '|', '1'.repeat(100_000)],
  resourceLocator: ['\u0001', '1'.repeat(100_000)],
  number: ['x', -1e15, 1e16, 0.123456789],
  dateTime: ['x'],
  json: ['x'],
};

/**
 * What a field takes, in the words in which the node refuses anything else: asked of the field's own checks, so that
 * the text can't differ from what happens. A list of choices is given by name and stored value.
 */
export function limitsOf(field: Field): string[] {
  const property = field.properties().find(({ name }) => name === field.name);
  if (!property) return [];
  const choices = (property.options ?? []).flatMap((option) =>
    'value' in option ? [`${option.name} (\`${String(option.value)}\`)`] : [],
  );
  if (choices.length > 0) return [choices.join(', ')];
  if (property.type === 'boolean') return ['true or false'];
  const allowed = (WRONG[property.type] ?? []).flatMap((value) => {
    const problems: Problem[] = [];
    field.read({ [field.name]: value }, problems, { timezone: 'utc' });
    return problems.map((problem) => problem.allowed);
  });
  return [...new Set(allowed.map(withoutMust))];
}

const withoutMust = (allowed: string) =>
  allowed
    .replace(/^must (be|have) /, '')
    .replace(/ \(it has \d+\)$/, '')
    .replace(/^must /, '');
