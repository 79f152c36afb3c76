import type { IDataObject } from 'n8n-workflow';

import { asText, isObject } from '../shared/objects';
import type { ConditionalField, Field, GroupField, ValueField } from './types';

/** Returns JSON, by default from the main fields' examples. */
export function exampleOf(field: GroupField): string {
  const entries = field.main.flatMap((part) => {
    const example = part.place === 'node' ? undefined : valueExample(part);
    return example === undefined ? [] : [[part.name, example]];
  });
  const object: unknown = field.example ?? Object.fromEntries(entries);
  return isObject(object) && Object.keys(object).length > 0 ? JSON.stringify(field.list ? [object] : object) : '';
}

function valueExample(field: Field): IDataObject[string] | undefined {
  if (field.kind === 'composite') return field.parts.map(valueExample).find((example) => example !== undefined);
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

const isNumber = ({ money, property }: ValueField) => money === true || property.type === 'number';
