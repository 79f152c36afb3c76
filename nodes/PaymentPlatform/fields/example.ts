import type { IDataObject } from 'n8n-workflow';

import { asText, isObject } from '../shared/objects';
import type { ConditionalField, Field, GroupField, ValueField } from './types';

/** An object of the group as it may stand in JSON, as its declaration or its main fields show it; `[...]` for a list. */
export function exampleOf(field: GroupField): string {
  const entries = field.main.flatMap((part) => {
    const example = part.place === 'node' ? undefined : valueExample(part);
    return example === undefined ? [] : [[part.name, example]];
  });
  const object: unknown = field.example ?? Object.fromEntries(entries);
  return isObject(object) && Object.keys(object).length > 0 ? JSON.stringify(field.list ? [object] : object) : '';
}

/** A value that the field takes, as its placeholder or default shows it; `undefined` where none does. */
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

/** Whether the interface takes a number: then the example is one. */
const isNumber = ({ money, property }: ValueField) => money === true || property.type === 'number';
