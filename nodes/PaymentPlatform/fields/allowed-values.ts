import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { LONG } from './bounds';
import { editorProperties } from './editor';
import { USE_LIST } from './kinds/locator';
import { CHECK_JSON, readField } from './read-field';
import type { Field, Problem } from './types';
import { parameterName } from './value';

const TOO_LONG = '1'.repeat(LONG);

/** Each value breaks one rule, such as a maximum length. */
const WRONG: Partial<Record<INodeProperties['type'], Array<string | number>>> = {
  string: ['¬', '|', TOO_LONG, '-1000000000000000', '10000000000000000', '0.123456789'],
  resourceLocator: ['¬', TOO_LONG],
  dateTime: ['x'],
  json: ['x'],
};

function beside(field: Field, { name, type }: INodeProperties): IDataObject {
  if (type === 'json' && name !== parameterName(field)) return { [`${parameterName(field)}Mode`]: 'json' };
  const units =
    field.kind === 'composite' ? field.parts.filter(({ name: own, required }) => required && own !== name) : [];
  return Object.fromEntries(units.flatMap(editorProperties).map((unit) => [unit.name, asText(unit.default)]));
}

/** The field's own checks produce the rules, so the rules always match the node's behavior. */
export function allowedValues(field: Field, property: INodeProperties): string[] {
  if (field.kind === 'conditional') return allowedValues(field.field, property);
  const allowed = (WRONG[property.type] ?? []).flatMap((value) => {
    const problems: Problem[] = [];
    readField(field, { ...beside(field, property), [property.name]: value }, problems, { timezone: 'utc' });
    return problems.map((problem) => problem.allowed);
  });
  return [...new Set(allowed.map(withoutMust))];
}

const withoutMust = (allowed: string) =>
  allowed
    .replace(/^must (be|have|contain) /, '')
    .replace(/ \(it has \d+\)$/, '')
    .replace(/^must /, '')
    .replace(USE_LIST, '')
    .replace(CHECK_JSON, '');
