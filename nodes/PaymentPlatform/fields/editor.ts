import type { INodeProperties } from 'n8n-workflow';

import { alphabetically } from '../shared/alphabetical';
import type { ConditionalField, Field, GroupField } from './types';

/** What holds the additional fields of one object in the editor; it is no field of the interface. */
export const ADDITIONAL = 'additionalFields';

/** The editor's parameters for a field; some need more than one (a list and its JSON alternative). */
export function editorProperties(field: Field): INodeProperties[] {
  switch (field.kind) {
    case 'value':
      return [field.property];
    case 'joined':
      return field.parts.flatMap(editorProperties);
    case 'conditional':
      return editorProperties(field.field).map((property) => shownWhile(field, property));
    case 'group':
      return groupProperties(field);
    case 'section':
      return additionalCollection(field.name, field.label, field.inside);
  }
}

/** Names of the editor's parameters for a field. */
export function parameterNames(field: Field): string[] {
  switch (field.kind) {
    case 'value':
    case 'section':
      return [field.name];
    case 'joined':
      return field.parts.flatMap(parameterNames);
    case 'conditional':
      return parameterNames(field.field);
    case 'group':
      return [...(field.mode ? [field.mode.name] : []), field.name, jsonName(field)];
  }
}

/** The parameter that holds a group as JSON. */
export const jsonName = ({ name }: GroupField) => `${name}Json`;

/** A collection of fields that are rarely needed, in the order of their labels. */
export function additionalCollection(name: string, label: string, fields: readonly Field[]): INodeProperties[] {
  if (fields.length === 0) return [];
  const sorted = [...fields].sort((a, b) => alphabetically(a.label, b.label));
  return [
    {
      displayName: label,
      name,
      type: 'collection',
      placeholder: 'Add Field',
      default: {},
      options: sorted.flatMap(editorProperties),
    },
  ];
}

function shownWhile(conditional: ConditionalField, property: INodeProperties): INodeProperties {
  const { decides, values, field, needed, unmarked } = conditional;
  return {
    ...property,
    ...(needed && !unmarked && property.name === field.name && { required: true }),
    displayOptions: {
      ...property.displayOptions,
      show: { [decides.name]: [...values], ...property.displayOptions?.show },
    },
  };
}

function groupProperties(field: GroupField): INodeProperties[] {
  const { mode, list, label, itemLabel, oneByOne, property } = field;
  const values = [
    ...field.main.flatMap(editorProperties),
    ...additionalCollection(ADDITIONAL, 'Additional Fields', field.additional),
  ];
  const shownIn = (chosen: string) => mode && { displayOptions: { show: { [mode.name]: [chosen] } } };
  const collection: INodeProperties = {
    ...property,
    ...shownIn('fields'),
    ...(oneByOne
      ? { type: 'collection', options: values }
      : { type: 'fixedCollection', options: [{ displayName: itemLabel, name: 'item', values }] }),
    ...(list && { typeOptions: { multipleValues: true } }),
    placeholder: oneByOne ? 'Add Field' : `Add ${itemLabel}`,
    default: property.default ?? {},
  };
  const json: INodeProperties = {
    displayName: `${label} (JSON)`,
    name: jsonName(field),
    type: 'json',
    default: '',
    description: `${list ? 'A list of objects' : 'An object'} as JSON or from an expression, e.g. a column of a CRM row. Fields: ${field.inside.map(({ name }) => name).join(', ')}.`,
    ...shownIn('json'),
  };
  return [...(mode ? [mode.property] : []), collection, json];
}
