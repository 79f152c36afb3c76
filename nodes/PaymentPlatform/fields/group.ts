import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isObject } from '../shared/objects';
import { choice } from './choice';
import { alteredNumberIn, lostNumberIn } from './rounded';
import type { Field, FieldOptions, Problem, ReadContext } from './types';
import { commonParts, commonProperty, describe, isEmpty, rawValue } from './value';

export interface GroupOptions extends FieldOptions {
  /** The fields of one object of the group. */
  fields: Field[];
  /** Whether the group is a list of objects; one object otherwise. */
  list: boolean;
  /** Rarely needed fields of one object: given by fields, they stand in a collection of their own. */
  additional?: Field[];
  /**
   * Whether the fields of a single object stand open, once it is added, instead of being added one by one. n8n fails
   * to load a workflow that leaves out a single object whose default is not empty: give it none.
   */
  open?: boolean;
  /** The singular, for the button and for messages, e.g. "Line Item". */
  itemLabel: string;
  /**
   * Whether the parameter stands at the top level, or among the fields of an object that does: there a switch chooses
   * between fields and JSON. Inside "Additional Fields" a switch can't hide its neighbours, so there the JSON
   * alternative is an entry of its own.
   */
  topLevel?: boolean;
  /** Turns the objects into what is sent; the objects themselves unless given. */
  encode?: (value: IDataObject | IDataObject[]) => unknown;
}

/** Reads the fields of one object. Empty optional fields send nothing. */
export function readFields(
  fields: Field[],
  parameters: IDataObject,
  problems: Problem[],
  context: ReadContext,
): IDataObject {
  const record: IDataObject = {};
  for (const field of fields) {
    const value = field.read(parameters, problems, context);
    if (value !== undefined) record[field.name] = value as IDataObject;
  }
  return record;
}

/**
 * An object, or a list of objects, given by fields or as JSON (text, or an array or object from an expression). JSON
 * passes the same checks as the fields, and a name that the interface does not have is refused, not ignored.
 */
export function group(given: GroupOptions): Field {
  // A list of cards is as secret as the numbers in it.
  const options = { ...given, secret: given.secret ?? allFields(given).some(({ secret }) => secret) };
  return {
    ...commonParts(options),
    ...(!options.encode && { fields: allFields(options).map(options.wording ? asWording : (field) => field) }),
    properties: () => groupProperties(options),
    read: (parameters, problems, context) => {
      const objects = givenObjects(options, parameters, problems);
      if (objects === undefined) return undefined;
      if (objects.length === 0) {
        if (options.required)
          problems.push({ label: options.label, found: 'nothing', allowed: `needs at least one ${options.itemLabel}` });
        return undefined;
      }
      const records = objects.map((object, index) => readObject(options, object, index, problems, context));
      const value = options.list ? records : records[0];
      if (value === undefined || (!options.list && Object.keys(records[0] ?? {}).length === 0)) return undefined;
      return options.encode ? options.encode(value) : value;
    },
  };
}

/** All that stands in an object of words is words. */
const asWording = (field: Field): Field => ({
  ...field,
  wording: true,
  ...(field.fields && { fields: field.fields.map(asWording) }),
});

/** What holds the additional fields of one object in the editor; it is no field of the interface. */
const ADDITIONAL = 'additionalFields';

const allFields = ({ fields, additional = [] }: GroupOptions): Field[] => [...fields, ...additional];

function readObject(options: GroupOptions, object: unknown, index: number, problems: Problem[], context: ReadContext) {
  const label = options.list ? `${options.label} ${index + 1}` : options.label;
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    problems.push({ label, found: describe(object, options.secret), allowed: 'must be an object' });
    return {};
  }
  const known = new Set(allFields(options).flatMap((field) => field.properties().map((property) => property.name)));
  for (const name of Object.keys(object))
    if (!known.has(name))
      problems.push({
        label,
        found: `an unknown field ${describe(name)}`,
        allowed: `may only have: ${allFields(options)
          .map((field) => field.name)
          .join(', ')}`,
      });
  const inner: Problem[] = [];
  const record = readFields(allFields(options), object as IDataObject, inner, context);
  problems.push(...inner.map((problem) => ({ ...problem, label: `${label} > ${problem.label}` })));
  return record;
}

function givenObjects(options: GroupOptions, parameters: IDataObject, problems: Problem[]): unknown[] | undefined {
  const own = rawValue(parameters, options.name);
  const json = rawValue(parameters, `${options.name}Json`);
  const mode = options.topLevel ? modeOf(options, parameters, problems) : undefined;
  const useJson = mode ? mode === 'json' : !isEmpty(json);
  const fromFields = objectsFromFields(own);
  if (!options.topLevel && useJson && fromFields.length > 0) {
    problems.push({
      label: options.label,
      found: 'both fields and JSON',
      allowed: 'can be given by fields or as JSON, not both',
    });
    return undefined;
  }
  return useJson ? objectsFromJson(options, json, problems) : fromFields;
}

/** A fixed collection holds its objects under "item"; inside JSON the same field is an object or array as it stands. */
function objectsFromFields(value: unknown): unknown[] {
  if (isEmpty(value)) return [];
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [value];
  if (!('item' in value)) return Object.keys(value).length === 0 ? [] : [value];
  const item: unknown = value.item;
  return (Array.isArray(item) ? item : [item]).map(withoutCollection);
}

function withoutCollection(item: unknown): unknown {
  if (!isObject(item) || !isObject(item[ADDITIONAL])) return item;
  const { [ADDITIONAL]: additional, ...open } = item;
  return { ...open, ...additional };
}

function objectsFromJson(options: GroupOptions, json: unknown, problems: Problem[]): unknown[] | undefined {
  if (isEmpty(json)) return [];
  const shape = options.list ? 'a JSON array of objects' : 'a JSON object';
  const label = `${options.label} (JSON)`;
  try {
    const parsed: unknown = typeof json === 'string' ? JSON.parse(json) : json;
    if (Array.isArray(parsed) === options.list && typeof parsed === 'object' && parsed !== null) {
      const altered = typeof json === 'string' ? alteredNumberIn(json) : undefined;
      // A number that is still too long when it is parsed is reported by the field that it is for.
      if (altered && !lostNumberIn(parsed)) problems.push({ label, found: altered.found, allowed: altered.allowed });
      return options.list ? (parsed as unknown[]) : [parsed];
    }
  } catch {
    // Reported below together with JSON of the wrong shape: the remedy is the same.
  }
  problems.push({ label, found: describe(json, options.secret), allowed: `must be ${shape}` });
  return undefined;
}

/** A single object whose fields are all optional: a person adds the ones that are wanted, the others stay out of the way. */
const isOptionalObject = (options: GroupOptions) =>
  !options.list && !options.open && options.fields.every((field) => !field.required);

function collectionShape(options: GroupOptions, values: INodeProperties[]): Pick<INodeProperties, 'type' | 'options'> {
  return isOptionalObject(options)
    ? { type: 'collection', options: values }
    : { type: 'fixedCollection', options: [{ displayName: options.itemLabel, name: 'item', values }] };
}

/** Whether the objects are given by fields or as JSON. A word that is neither would leave out what was given. */
function modeOf(options: GroupOptions, parameters: IDataObject, problems: Problem[]): 'fields' | 'json' | undefined {
  const name = `${options.name}Mode`;
  if (isEmpty(parameters[name])) return 'fields';
  return modeField(options).read(parameters, problems, { timezone: 'utc' }) as 'fields' | 'json' | undefined;
}

const modeField = (options: GroupOptions): Field =>
  choice({
    name: `${options.name}Mode`,
    label: `Specify ${options.label}`,
    description: `How to give the ${options.label.toLowerCase()}: field by field, or as JSON from an earlier node`,
    options: [
      { name: 'Using Fields Below', value: 'fields' },
      { name: 'Using JSON', value: 'json' },
    ],
    default: 'fields',
    place: 'node',
  });

function groupProperties(options: GroupOptions): INodeProperties[] {
  const values: INodeProperties[] = [
    ...options.fields.flatMap((field) => field.properties()),
    ...additionalCollection(options),
  ];
  const names = allFields(options)
    .map((field) => field.name)
    .join(', ');
  const collection: INodeProperties = {
    ...commonProperty({ ...options, required: false, ...(options.topLevel && shownIn(options, 'fields')) }),
    ...collectionShape(options, values),
    ...(options.list && { typeOptions: { multipleValues: true } }),
    placeholder: isOptionalObject(options) ? 'Add Field' : `Add ${options.itemLabel}`,
    default: options.default ?? {},
  };
  const json: INodeProperties = {
    displayName: `${options.label} (JSON)`,
    name: `${options.name}Json`,
    type: 'json',
    default: '',
    description: `${options.list ? 'A list of objects' : 'An object'} as JSON or from an expression, e.g. a column of a CRM row. Fields: ${names}.`,
    ...(options.topLevel && shownIn(options, 'json')),
  };
  if (!options.topLevel) return [collection, json];
  return [...modeField(options).properties(), collection, json];
}

function additionalCollection({ additional = [] }: GroupOptions): INodeProperties[] {
  if (additional.length === 0) return [];
  const sorted = [...additional].sort((a, b) => a.label.localeCompare(b.label, 'en'));
  return [
    {
      displayName: 'Additional Fields',
      name: ADDITIONAL,
      type: 'collection',
      placeholder: 'Add Field',
      default: {},
      options: sorted.flatMap((field) => field.properties()),
    },
  ];
}

const shownIn = (options: GroupOptions, mode: string) => ({
  displayOptions: { show: { [`${options.name}Mode`]: [mode] } },
});
