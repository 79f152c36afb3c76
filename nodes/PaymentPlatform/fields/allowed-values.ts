import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { LONG } from './bounds';
import { editorProperties } from './editor';
import { readField } from './read-field';
import type { Field, Problem } from './types';
import { parameterName } from './value';

/** Text that exceeds every maximum length shown in a description. */
const TOO_LONG = '1'.repeat(LONG);

/**
 * Invalid sample values by parameter type. Each value breaks one rule, such as a format, a maximum length or a number
 * of decimals.
 */
const WRONG: Partial<Record<INodeProperties['type'], Array<string | number>>> = {
  string: ['\u0001', '|', TOO_LONG, '-1000000000000000', '10000000000000000', '0.123456789'],
  resourceLocator: ['\u0001', TOO_LONG],
  dateTime: ['x'],
  json: ['x'],
};

/**
 * Returns values for the other parameters that the field needs, such as the JSON mode of a list or the unit of a
 * duration.
 */
function beside(field: Field, { name, type }: INodeProperties): IDataObject {
  if (type === 'json' && name !== parameterName(field)) return { [`${parameterName(field)}Mode`]: 'json' };
  const units =
    field.kind === 'joined' ? field.parts.filter(({ name: own, required }) => required && own !== name) : [];
  return Object.fromEntries(units.flatMap(editorProperties).map((unit) => [unit.name, asText(unit.default)]));
}

/**
 * Returns the rules for the values of a parameter, with the wording of the error messages. The field's own checks
 * produce the text, so the rules always match the node's behavior. Returns an empty list for choices.
 */
export function allowedValues(field: Field, property: INodeProperties): string[] {
  const allowed = (WRONG[property.type] ?? []).flatMap((value) => {
    const problems: Problem[] = [];
    readField(field, { ...beside(field, property), [property.name]: value }, problems, { timezone: 'utc' });
    return problems.map((problem) => problem.allowed);
  });
  return [...new Set(allowed.map(withoutMust))];
}

/** Removes the word "must" and the advice from an error message, and returns the rule. */
const withoutMust = (allowed: string) =>
  allowed
    .replace(/^must (be|have) /, '')
    .replace(/ \(it has \d+\)$/, '')
    .replace(/^must /, '')
    .replace(/, (but can't be read as JSON|for its ID is wanted):.*$/, '');
