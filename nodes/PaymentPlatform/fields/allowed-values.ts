import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { LONG } from './bounds';
import { editorProperties } from './editor';
import { readField } from './read-field';
import type { Field, Problem } from './types';
import { parameterName } from './value';

/** Text that is longer than every maximum length in descriptions. */
const TOO_LONG = '1'.repeat(LONG);

/** Invalid values with a single fault each: format, forbidden character, length, size, number of decimals, or shape. */
const WRONG: Partial<Record<INodeProperties['type'], Array<string | number>>> = {
  string: ['\u0001', '|', TOO_LONG, '-1000000000000000', '10000000000000000', '0.123456789'],
  resourceLocator: ['\u0001', TOO_LONG],
  dateTime: ['x'],
  json: ['x'],
};

/** Returns the values that make this parameter apply, such as the JSON mode of a list or the unit of a duration. */
function beside(field: Field, { name, type }: INodeProperties): IDataObject {
  if (type === 'json' && name !== parameterName(field)) return { [`${parameterName(field)}Mode`]: 'json' };
  const units =
    field.kind === 'joined' ? field.parts.filter(({ name: own, required }) => required && own !== name) : [];
  return Object.fromEntries(units.flatMap(editorProperties).map((unit) => [unit.name, asText(unit.default)]));
}

/**
 * Returns the allowed values of a parameter, worded as in the node's refusals. The field's own checks produce the text,
 * so it always matches the node's behavior. Returns no text for choices.
 */
export function allowedValues(field: Field, property: INodeProperties): string[] {
  const allowed = (WRONG[property.type] ?? []).flatMap((value) => {
    const problems: Problem[] = [];
    readField(field, { ...beside(field, property), [property.name]: value }, problems, { timezone: 'utc' });
    return problems.map((problem) => problem.allowed);
  });
  return [...new Set(allowed.map(withoutMust))];
}

/** Returns the rule in a refusal without the advice that follows it. */
const withoutMust = (allowed: string) =>
  allowed
    .replace(/^must (be|have) /, '')
    .replace(/ \(it has \d+\)$/, '')
    .replace(/^must /, '')
    .replace(/, (but can't be read as JSON|for its ID is wanted):.*$/, '');
