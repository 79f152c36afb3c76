import type { INodeProperties } from 'n8n-workflow';

import { exampleOf } from './example';
import { EMPTIED } from './kinds/text';
import type { ConditionalField, Field, GroupField, ValueField } from './types';
import { parameterName } from './value';

/** Exists only in the editor. */
export const ADDITIONAL_FIELDS = 'additionalFields';
export const GIVEN = 'given';

/** Returns several parameters for some fields, such as a list and its JSON alternative. */
export function editorProperties(field: Field): INodeProperties[] {
  switch (field.kind) {
    case 'value':
      return [field.property];
    case 'composite':
      return field.parts.flatMap(editorProperties);
    case 'conditional':
      return editorProperties(field.field).map((property) => shownWhile(field, property));
    case 'group':
      return groupProperties(field);
    case 'section':
      return additionalCollection(field.name, field.label, field.inside, field.add);
  }
}

export function parameterNames(field: Field): string[] {
  switch (field.kind) {
    case 'value':
    case 'section':
      return [parameterName(field)];
    case 'composite':
      return field.parts.flatMap(parameterNames);
    case 'conditional':
      return parameterNames(field.field);
    case 'group':
      return [parameterName(field), ...(field.mode ? [field.mode.name, jsonName(field)] : [])];
  }
}

export const jsonName = (field: GroupField) => `${parameterName(field)}Json`;

export const technicalLast = <One extends Pick<Field, 'technical'>>(fields: readonly One[]): One[] => [
  ...fields.filter(({ technical }) => !technical),
  ...fields.filter(({ technical }) => technical),
];

/** Returns an empty list for a collection without fields. */
export function additionalCollection(
  name: string,
  label: string,
  fields: readonly Field[],
  placeholder = 'Add Field',
): INodeProperties[] {
  if (fields.length === 0) return [];
  const options = fields.flatMap(editorProperties).map(opened);
  return [{ displayName: label, name, type: 'collection', placeholder, default: {}, options }];
}

/**
 * Shows all fields of a new object. Use this function only inside a collection. Elsewhere, n8n can't load a workflow
 * that omits an object with a nonempty default (n8n.md#parameters).
 */
function opened(property: INodeProperties): INodeProperties {
  const [only] = property.options ?? [];
  const single = property.type === 'fixedCollection' && !property.typeOptions?.multipleValues;
  return single && only ? { ...property, default: { [only.name]: {} } } : property;
}

function shownWhile(
  { decides, collection, values, except, field, marked }: ConditionalField,
  property: INodeProperties,
): INodeProperties {
  const { show, hide } = property.displayOptions ?? {};
  const isSwitch = decides.kind === 'value' && decides.property.type === 'boolean';
  // n8n 1 fails if a relative path leads into a collection (n8n.md#parameters).
  const path = `${collection === undefined ? '' : `/${collection}.`}${parameterName(decides)}`;
  const condition = { [path]: values.map((value) => (isSwitch ? value === 'true' : value)) };
  return {
    ...property,
    ...(marked && property.name === parameterName(field) && { required: true }),
    // After a condition with an expression, n8n evaluates no further condition, so the field's own conditions come
    // first.
    displayOptions: except
      ? { ...(show && { show }), hide: { ...hide, ...condition } }
      : { ...(hide && { hide }), show: { ...show, ...condition } },
  };
}

function groupProperties(field: GroupField): INodeProperties[] {
  const { mode, list, label, itemLabel, wrapped, property } = field;
  const fields = fieldsProperty(field);
  if (!mode) return [fields];
  const example = exampleOf(field);
  const json: INodeProperties = {
    displayName: `${label} (JSON)`,
    name: jsonName(field),
    type: 'json',
    default: '',
    description: `JSON ${list ? 'array of objects' : 'object'}. Fields: ${field.inside.map(({ name }) => name).join(', ')}.`,
    ...(example && { hint: `Example: ${example}` }),
    ...(field.secret && EMPTIED),
  };
  const switched = [mode.property, ...keptFields(mode, fields), shownFor(mode, json)];
  if (!wrapped) return switched;
  const { displayName, name, description, displayOptions } = property;
  return [
    {
      displayName,
      name,
      type: 'fixedCollection',
      placeholder: `Add ${label}`,
      default: {},
      ...(description !== undefined && { description }),
      ...(displayOptions && { displayOptions }),
      options: [{ displayName: itemLabel, name: GIVEN, values: switched }],
    },
  ];
}

function fieldsProperty({ main, additional, list, itemLabel, oneByOne, property }: GroupField): INodeProperties {
  const values = [
    ...main.flatMap(editorProperties),
    ...additionalCollection(ADDITIONAL_FIELDS, `More ${itemLabel} Details`, additional, `Add ${itemLabel} Field`),
  ];
  return {
    ...property,
    ...(oneByOne
      ? { type: 'collection', options: values }
      : { type: 'fixedCollection', options: [{ displayName: itemLabel, name: 'item', values }] }),
    ...(list && { typeOptions: { multipleValues: true } }),
    placeholder: `Add ${itemLabel}`,
    default: property.default ?? {},
  };
}

/**
 * With a `hide` condition, the editor clears the fields when the user selects another operation (n8n.md#parameters).
 */
function keptFields(mode: ValueField, fields: INodeProperties): INodeProperties[] {
  const { name, default: own } = fields;
  const shown: INodeProperties = { ...fields, displayOptions: { hide: { [mode.name]: ['json'] } } };
  return [shown, shownFor(mode, { ...KEPT, name, default: own })];
}

const KEPT: Pick<INodeProperties, 'displayName' | 'type'> = {
  displayName: 'The node uses the JSON and ignores the fields',
  type: 'notice',
};

const shownFor = (mode: ValueField, property: INodeProperties): INodeProperties => ({
  ...property,
  displayOptions: { show: { [mode.name]: ['json'] } },
});
