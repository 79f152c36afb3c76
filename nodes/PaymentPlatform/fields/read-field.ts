import type { IDataObject } from 'n8n-workflow';

import { givenObjects, wrappedIn } from './given-objects';
import { isObject, objectIn } from '../shared/objects';
import { isFlat } from './kinds/section';
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
import { describe, isEmpty, parameterName, rawValue } from './value';

/**
 * The value of a field to send, or `undefined` to send nothing. Problems are added to `problems`, never thrown, so that
 * a person sees all of them at once.
 */
export function readField(field: Field, parameters: IDataObject, problems: Problem[], context: ReadContext): unknown {
  switch (field.kind) {
    case 'value':
      return readValue(field, parameters, problems, context);
    case 'joined':
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

/** Reads the fields of one object. Empty optional fields send nothing. */
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
    if (isFlat(field)) Object.assign(record, value);
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
  if (isEmpty(value)) return field.required ? problem('is required') : field.otherwise?.(context);
  return field.convert(value, problem, context);
}

function readSection(field: SectionField, parameters: IDataObject, problems: Problem[], context: ReadContext): unknown {
  const given = rawValue(parameters, field.name);
  if (isEmpty(given) || isObject(given)) return readFields(field.inside, objectIn(given), problems, context);
  problems.push({ label: field.label, found: describe(given, field.secret), allowed: 'must be an object' });
  return undefined;
}

/** What may be left in a field that does not apply is not sent. Where the values come without the choice, it counts. */
function readConditional(
  { decides, values, except, field, needed }: ConditionalField,
  parameters: IDataObject,
  problems: Problem[],
  context: ReadContext,
): unknown {
  const given = !isEmpty(parameters[parameterName(decides)]);
  const applies = given && values.includes(String(readField(decides, parameters, [], context))) !== except;
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
  // A switch that says neither would leave out what was given.
  if (problems.length > before) return undefined;
  const objects = givenObjects(field, mode, parameters, problems);
  if (objects === undefined) return undefined;
  if (objects.length === 0) {
    if (field.required)
      problems.push({ label: field.label, found: 'nothing', allowed: `needs at least one ${field.itemLabel}` });
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
        allowed: `may only have: ${field.inside.map(({ name }) => name).join(', ')}`,
      });
  const inner: Problem[] = [];
  const record = sentOf(field, readFields(field.inside, object, inner, context));
  // A call takes fewer arguments than a list can have problems.
  for (const problem of inner.concat(field.rule?.(record, context) ?? []))
    problems.push({ ...problem, label: `${label} > ${problem.label}` });
  return record;
}

/** What of an object is sent: a choice for the node itself decides about the other fields and is none of them. */
function sentOf({ inside }: GroupField, record: IDataObject): IDataObject {
  const own = new Set(inside.filter(({ place }) => place === 'node').map(({ name }) => name));
  return own.size === 0 ? record : Object.fromEntries(Object.entries(record).filter(([name]) => !own.has(name)));
}
