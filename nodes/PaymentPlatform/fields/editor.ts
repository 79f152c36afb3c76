import type { INodeProperties } from 'n8n-workflow';

import { exampleOf } from './example';
import { EMPTIED } from './kinds/text';
import type { ConditionalField, Field, GroupField, ValueField } from './types';
import { parameterName } from './value';

/** What holds the additional fields of one object in the editor; it is no field of the interface. */
export const ADDITIONAL = 'additionalFields';
/** What holds a list and its switch where they have an entry of their own. */
export const GIVEN = 'given';

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
      return additionalCollection(field.name, field.label, field.inside, field.add);
  }
}

/** Names of the editor's parameters for a field. */
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

/** The parameter that holds a group as JSON. */
export const jsonName = (field: GroupField) => `${parameterName(field)}Json`;

/** The fields in their order, those behind the others that only software asks for. */
export const technicalLast = <One extends Pick<Field, 'technical'>>(fields: readonly One[]): One[] => [
  ...fields.filter(({ technical }) => !technical),
  ...fields.filter(({ technical }) => technical),
];

/** A collection of fields that are rarely needed, in the order in which they are declared. */
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
 * A person who adds an object sees its fields at once. Only in a collection: elsewhere n8n fails to load a workflow that
 * leaves out an object whose default is not empty (n8n.md#parameters).
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
    // What the field itself asks for stands first: at an expression n8n shows it, whatever comes after.
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
    description: `JSON ${list ? 'array of objects' : 'object'}, as text or from an expression. ${list ? 'You can also enter a single object. ' : ''}Fields: ${field.inside.map(({ name }) => name).join(', ')}.`,
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

/** The objects of a group by their fields. */
function fieldsProperty({ main, additional, list, itemLabel, oneByOne, property }: GroupField): INodeProperties {
  const values = [
    ...main.flatMap(editorProperties),
    ...additionalCollection(ADDITIONAL, `More ${itemLabel} Details`, additional, `Add ${itemLabel} Field`),
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
 * The fields, and a notice of their name in their place while JSON is chosen. The fields are hidden for JSON, not shown for
 * fields, so that the editor empties them if another operation is chosen (n8n.md#parameters).
 */
function keptFields(mode: ValueField, fields: INodeProperties): INodeProperties[] {
  const { name, default: own } = fields;
  const shown: INodeProperties = { ...fields, displayOptions: { hide: { [mode.name]: ['json'] } } };
  return [shown, shownFor(mode, { ...KEPT, name, default: own })];
}

const KEPT: Pick<INodeProperties, 'displayName' | 'type'> = {
  displayName: 'The node uses only the JSON. If you switch back, fill in the fields again.',
  type: 'notice',
};

const shownFor = (mode: ValueField, property: INodeProperties): INodeProperties => ({
  ...property,
  displayOptions: { show: { [mode.name]: ['json'] } },
});
