import type { IDataObject } from 'n8n-workflow';
import { NOT_DEEPER, exactJson, isList, isObject, isTooDeep, objectIn, isWellFormed } from '../shared/objects';
import { alteredNumberIn, lostNumberIn } from './kinds/number';
import { ADDITIONAL_FIELDS, GIVEN, jsonName } from './editor';
import type {
  ConditionalField,
  Field,
  GroupField,
  Problem,
  ReadContext,
  Report,
  SectionField,
  ValueField,
} from './types';
import { describe, isEmpty, NO_HALF_CHARACTERS, parameterName, rawValue, isSpread, UnresolvedReference } from './value';

export function wrappedIn(field: GroupField, parameters: IDataObject): IDataObject {
  const entry = parameters[parameterName(field)];
  return field.wrapped && isObject(entry) && isObject(entry[GIVEN]) ? entry[GIVEN] : parameters;
}

/** Returns the objects entered as fields or as JSON. An expression can return JSON as text, an array or an object. */
export function givenObjects(
  field: GroupField,
  mode: unknown,
  parameters: IDataObject,
  problems: Problem[],
): unknown[] | undefined {
  return mode === 'json'
    ? objectsFromJson(field, rawValue(parameters, jsonName(field)), problems)
    : objectsFromFields(rawValue(parameters, parameterName(field)));
}

/** n8n stores the objects of a fixed collection under "item". */
export function objectsFromFields(value: unknown): unknown[] {
  if (isEmpty(value)) return [];
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [value];
  if (!('item' in value)) return Object.keys(value).length === 0 ? [] : [value];
  const item: unknown = value.item;
  return (Array.isArray(item) ? item : [item]).map(withoutCollection);
}

function withoutCollection(item: unknown): unknown {
  if (!isObject(item) || !isObject(item[ADDITIONAL_FIELDS])) return item;
  const { [ADDITIONAL_FIELDS]: additional, ...open } = item;
  return { ...open, ...additional };
}

const listIn = (value: unknown) => (isList(value) ? value : isObject(value) ? [value] : undefined);

const exactObjects = (json: string): unknown => exactJson(json) ?? JSON.parse(json);

export const CHECK_JSON = ', but is not valid JSON. Check for a missing or extra bracket, comma or quote';

function objectsFromJson(field: GroupField, json: unknown, problems: Problem[]): unknown[] | undefined {
  if (isEmpty(json)) return [];
  const shape = field.list ? 'a JSON array of objects' : 'a JSON object';
  const label = `${field.label} (JSON)`;
  let allowed = `must be ${shape}`;
  try {
    const parsed: unknown = typeof json === 'string' ? exactObjects(json) : json;
    const objects = field.list ? listIn(parsed) : isObject(parsed) ? [parsed] : undefined;
    if (isTooDeep(parsed)) {
      problems.push({ label, found: 'more', allowed: NOT_DEEPER });
      return undefined;
    }
    if (objects) {
      const altered = typeof json === 'string' ? alteredNumberIn(json) : undefined;
      // The check of the field reports a number that the parsed JSON still contains.
      if (altered && !lostNumberIn(parsed)) problems.push({ label, found: altered.found, allowed: altered.allowed });
      return objects;
    }
  } catch {
    allowed = `must be ${shape}${CHECK_JSON}`;
  }
  problems.push({ label, found: describe(json, field.secret), allowed });
  return undefined;
}

/**
 * Returns `undefined` to send nothing. Collects problems instead of throwing, so that users see all problems together.
 */
export function readField(field: Field, parameters: IDataObject, problems: Problem[], context: ReadContext): unknown {
  switch (field.kind) {
    case 'value':
      return readValue(field, parameters, problems, context);
    case 'composite':
      return field.join({
        read: (part) => readField(part, parameters, problems, context),
        look: (other) => readField(other, parameters, [], context),
        timezone: context.timezone,
        problem: (problem) => void problems.push(problem),
      });
    case 'conditional':
      return readConditional(field, parameters, problems, context);
    case 'group':
      return readGroup(field, parameters, problems, context);
    case 'section':
      return readSection(field, parameters, problems, context);
  }
}

/** Omits empty optional fields. */
export function readFields(
  fields: readonly Field[],
  parameters: IDataObject,
  problems: Problem[],
  context: ReadContext,
): IDataObject {
  const record: IDataObject = {};
  for (const field of fields) {
    const value = readField(field, parameters, problems, context);
    if (value === undefined) continue;
    if (isSpread(field)) Object.assign(record, value);
    else record[field.name] = value;
  }
  return record;
}

function readValue(field: ValueField, parameters: IDataObject, problems: Problem[], context: ReadContext): unknown {
  const value = rawValue(parameters, parameterName(field), field.property.type);
  const problem: Report = (allowed, { place = '', found } = {}) => {
    problems.push({ label: `${field.label}${place}`, found: found ?? describe(value, field.secret), allowed });
    return undefined;
  };
  if (isEmpty(value))
    return (
      field.fallback?.(context, parameterName(field) in parameters) ??
      (field.required ? problem('is required') : undefined)
    );
  // The default of a choice is one of its values.
  if (field.property.type === 'options' && value === field.property.default) return value;
  if (value instanceof UnresolvedReference) return problem(value.allowed, { found: value.found });
  const sent = field.convert(value, problem, context);
  return isWellFormed(sent) ? sent : problem(NO_HALF_CHARACTERS);
}

function readSection(field: SectionField, parameters: IDataObject, problems: Problem[], context: ReadContext): unknown {
  const given = rawValue(parameters, field.name);
  if (isEmpty(given) || isObject(given)) return readFields(field.inside, objectIn(given), problems, context);
  problems.push({ label: field.label, found: describe(given, field.secret), allowed: 'must be an object' });
  return undefined;
}

/** Returns `undefined` if the field doesn't apply, even if it contains a value. */
function readConditional(
  { decides, collection, values, except, field, needed }: ConditionalField,
  parameters: IDataObject,
  problems: Problem[],
  context: ReadContext,
): unknown {
  const beside = collection === undefined ? parameters : objectIn(parameters[collection]);
  const choice = readField(decides, beside, [], context);
  const given = choice !== undefined || !isEmpty(beside[parameterName(decides)]);
  const applies = given && values.includes(String(choice)) !== except;
  if (given && !applies) return undefined;
  const before = problems.length;
  const value = readField(field, parameters, problems, context);
  if (applies && needed && value === undefined && problems.length === before)
    problems.push({ label: field.label, found: 'nothing', allowed: 'is required' });
  return value;
}

function readGroup(field: GroupField, around: IDataObject, problems: Problem[], context: ReadContext): unknown {
  const before = problems.length;
  const parameters = wrappedIn(field, around);
  const mode = field.mode && readField(field.mode, parameters, problems, context);
  // Without a valid input mode, the node would ignore the entered objects silently.
  if (problems.length > before) return undefined;
  const objects = givenObjects(field, mode, parameters, problems);
  if (objects === undefined) return undefined;
  if (objects.length === 0) {
    if (field.required)
      problems.push({
        label: field.label,
        found: 'nothing',
        allowed: `needs at least one ${field.list ? field.itemLabel : 'field'}`,
      });
    return undefined;
  }
  const records = objects.map((object, index) => readObject(field, object, index, problems, context));
  const value = field.list ? records : records[0];
  if (value === undefined || (!field.list && Object.keys(value).length === 0)) return undefined;
  return field.encode ? field.encode(value) : value;
}

function readObject(field: GroupField, object: unknown, index: number, problems: Problem[], context: ReadContext) {
  const label = field.list ? `${field.label} ${index + 1}` : field.label;
  if (!isObject(object)) {
    problems.push({ label, found: describe(object, field.secret), allowed: 'must be an object' });
    return {};
  }
  for (const name of Object.keys(object))
    if (!field.known.has(name))
      problems.push({
        label,
        found: `an unknown field ${describe(name)}`,
        allowed: `can contain only these fields: ${field.inside.map(({ name }) => name).join(', ')}`,
      });
  const inner: Problem[] = [];
  const record = sentOf(field, readFields(field.inside, object, inner, context));
  // `push(...)` would fail for a long list, because JavaScript limits the number of arguments.
  for (const problem of inner.concat(field.rule?.(record, context) ?? []))
    problems.push({ ...problem, label: `${label} > ${problem.label}` });
  return record;
}

function sentOf({ inside }: GroupField, record: IDataObject): IDataObject {
  const own = new Set(inside.filter(({ place }) => place === 'node').map(({ name }) => name));
  return own.size === 0 ? record : Object.fromEntries(Object.entries(record).filter(([name]) => !own.has(name)));
}

export interface NormalizedText {
  /** Example: "Line Items 2 > Unit Cost". */
  label: string;
  text: unknown;
  secret: boolean;
  /** Whether the text contains only the field's value, without surrounding JSON. */
  alone: boolean;
}

/** Includes nested parameters. */
export const normalizeText = (fields: readonly Field[], parameters: IDataObject): NormalizedText[] =>
  fields.flatMap((field) => writtenFor(field, parameters));

function writtenFor(field: Field, parameters: IDataObject): NormalizedText[] {
  switch (field.kind) {
    case 'value':
      return [writtenValue(field, parameters)];
    case 'composite':
      return normalizeText(field.parts, parameters);
    case 'conditional':
      return writtenFor(field.field, parameters);
    case 'section':
      return normalizeText(field.inside, objectIn(parameters[parameterName(field)]));
    case 'group':
      return writtenGroup(field, wrappedIn(field, parameters));
  }
}

function writtenValue(field: ValueField, parameters: IDataObject): NormalizedText {
  const { label, secret, property } = field;
  return { label, text: rawValue(parameters, parameterName(field)), secret, alone: property.type !== 'json' };
}

function writtenGroup(field: GroupField, parameters: IDataObject): NormalizedText[] {
  const { label, list, inside, mode } = field;
  const isJson = mode !== undefined && parameters[mode.name] === 'json';
  const text = rawValue(parameters, isJson ? jsonName(field) : parameterName(field));
  const whole: NormalizedText = { label, text, secret: false, alone: false };
  if (isJson) return [{ ...whole, label: `${label} (JSON)` }, whole];
  if (typeof text === 'string') return [whole];
  const objects = objectsFromFields(text).map((object, index) => {
    const own = list ? `${label} ${index + 1}` : label;
    return normalizeText(inside, objectIn(object)).map((one) => ({ ...one, label: `${own} > ${one.label}` }));
  });
  return [whole, ...objects.flat()];
}

const PART = /^(?: \d+)?(?: > .*)?$/s;

/**
 * Finds the parameter by a problem's label. Otherwise, returns the innermost parameter that contains the invalid value.
 */
export function writtenAs(label: string, written: readonly NormalizedText[]): NormalizedText | undefined {
  return written
    .filter((one) => label.startsWith(one.label) && PART.test(label.slice(one.label.length)))
    .reduce<NormalizedText | undefined>(
      (best, one) => (best && best.label.length >= one.label.length ? best : one),
      undefined,
    );
}
