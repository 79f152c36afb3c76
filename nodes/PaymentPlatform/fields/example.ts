import type { IDataObject } from 'n8n-workflow';

import { asText, isObject } from '../shared/objects';
import type { ConditionalField, Field, GroupField, ValueField } from './types';

/**
 * Returns an example of a group as JSON, or empty text if the group has no example. Uses the declared example, or else
 * the examples of the main fields. For a list, the JSON is an array with one object.
 */
export function exampleOf(field: GroupField): string {
  const entries = field.main.flatMap((part) => {
    const example = part.place === 'node' ? undefined : valueExample(part);
    return example === undefined ? [] : [[part.name, example]];
  });
  const object: unknown = field.example ?? Object.fromEntries(entries);
  return isObject(object) && Object.keys(object).length > 0 ? JSON.stringify(field.list ? [object] : object) : '';
}

/** Returns an example value from a field's placeholder or default, or `undefined` if the field has neither. */
function valueExample(field: Field): IDataObject[string] | undefined {
  if (field.kind === 'joined') return field.parts.map(valueExample).find((example) => example !== undefined);
  if (field.kind === 'conditional') return appliesByDefault(field) ? valueExample(field.field) : undefined;
  if (field.kind !== 'value') return undefined;
  const { placeholder = '', default: own, type, displayOptions } = field.property;
  if (displayOptions) return undefined;
  if (type === 'boolean') return true;
  const shown = placeholder.replace(/^e\.g\. /, '') || (typeof own === 'string' || typeof own === 'number' ? own : '');
  if (shown === '') return undefined;
  return isNumber(field) ? Number(shown) : shown;
}

const appliesByDefault = ({ decides, values, except }: ConditionalField) =>
  values.includes(asText(valueExample(decides))) !== except;

/** Returns whether the interface expects a number for the field. */
const isNumber = ({ money, property }: ValueField) => money === true || property.type === 'number';
