import type { INodeProperties } from 'n8n-workflow';

import { exampleOf } from './example';
import { EMPTIED } from './kinds/text';
import type { ConditionalField, Field, GroupField, ValueField } from './types';
import { parameterName } from './value';

/**
 * Name of the collection for rarely needed fields of an operation or an object. The collection exists only in the
 * editor.
 */
export const ADDITIONAL_FIELDS = 'additionalFields';
/** Name of the collection entry that contains a group's parameters and its input mode (`GroupField.wrapped`). */
export const GIVEN = 'given';

/**
 * Returns the editor's parameters for a field. Some fields need several parameters, such as a list and its JSON
 * alternative.
 */
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
      return additionalCollection(field.name, field.label, field.inside, field.add);
  }
}

/** Returns the names of the editor's parameters for a field. */
export function parameterNames(field: Field): string[] {
  switch (field.kind) {
    case 'value':
    case 'section':
      return [parameterName(field)];
    case 'joined':
      return field.parts.flatMap(parameterNames);
    case 'conditional':
      return parameterNames(field.field);
    case 'group':
      return [parameterName(field), ...(field.mode ? [field.mode.name, jsonName(field)] : [])];
  }
}

/** Returns the name of the JSON parameter of a group. */
export const jsonName = (field: GroupField) => `${parameterName(field)}Json`;

/** Returns the fields in their original order, except that technical fields come last. */
export const technicalLast = <One extends Pick<Field, 'technical'>>(fields: readonly One[]): One[] => [
  ...fields.filter(({ technical }) => !technical),
  ...fields.filter(({ technical }) => technical),
];

/** Returns the parameter for a collection of fields, or an empty list if there are no fields. */
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
 * Makes the editor show all fields of a newly added object immediately. Use this function only for parameters inside a
 * collection. Outside a collection, n8n can't load a workflow that omits an object with a nonempty default
 * (n8n.md#parameters).
 */
function opened(property: INodeProperties): INodeProperties {
  const [only] = property.options ?? [];
  const single = property.type === 'fixedCollection' && !property.typeOptions?.multipleValues;
  return single && only ? { ...property, default: { [only.name]: {} } } : property;
}

function shownWhile(
  { decides, values, except, field, marked }: ConditionalField,
  property: INodeProperties,
): INodeProperties {
  const { show, hide } = property.displayOptions ?? {};
  const condition = { [parameterName(decides)]: [...values] };
  return {
    ...property,
    ...(marked && property.name === parameterName(field) && { required: true }),
    // Lists the field's own conditions first. If a condition depends on an expression, n8n shows the parameter without
    // evaluating the later conditions.
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

/** Returns the parameter that contains the fields of a group's objects. */
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
 * Returns the fields and, for JSON mode, a notice with the same name. The fields have a `hide` condition for JSON mode
 * instead of a `show` condition for field mode, so that the editor clears the fields when the user selects another
 * operation (n8n.md#parameters).
 */
function keptFields(mode: ValueField, fields: INodeProperties): INodeProperties[] {
  const { name, default: own } = fields;
  const shown: INodeProperties = { ...fields, displayOptions: { hide: { [mode.name]: ['json'] } } };
  return [shown, shownFor(mode, { ...KEPT, name, default: own })];
}

const KEPT: Pick<INodeProperties, 'displayName' | 'type'> = {
  displayName: 'The node uses only the JSON. To use the fields, enter your values again.',
  type: 'notice',
};

const shownFor = (mode: ValueField, property: INodeProperties): INodeProperties => ({
  ...property,
  displayOptions: { show: { [mode.name]: ['json'] } },
});
