import type { IDataObject } from 'n8n-workflow';

import { exactJson, isList, isObject, isTooDeep, NOT_DEEPER } from '../shared/objects';
import { ADDITIONAL, GIVEN, jsonName } from './editor';
import { alteredNumberIn, lostNumberIn } from './detect-rounding';
import type { GroupField, Problem } from './types';
import { describe, isEmpty, parameterName, rawValue } from './value';

/** The parameters among which a group stands: those of its own entry, where it has one. */
export function wrappedIn(field: GroupField, parameters: IDataObject): IDataObject {
  const entry = parameters[parameterName(field)];
  return field.wrapped && isObject(entry) && isObject(entry[GIVEN]) ? entry[GIVEN] : parameters;
}

/**
 * The objects of a group as they were given: by fields, or as JSON (text, or an array or object from an expression).
 * @param mode what the switch between the two says; where there is none, by fields.
 */
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

/** A fixed collection holds its objects under "item"; inside JSON the same field is an object or array as it stands. */
export function objectsFromFields(value: unknown): unknown[] {
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

/** One object where a list is wanted is a list of one. */
const listIn = (value: unknown) => (isList(value) ? value : isObject(value) ? [value] : undefined);

/** @throws SyntaxError when it is no JSON. */
const exactObjects = (json: string): unknown => exactJson(json) ?? JSON.parse(json);

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
      // A number that is still too long when it is parsed is reported by the field that it is for.
      if (altered && !lostNumberIn(parsed)) problems.push({ label, found: altered.found, allowed: altered.allowed });
      return objects;
    }
  } catch {
    allowed = `must be ${shape}, but can't be read as JSON: look for a missing bracket, comma or quote, or one too many`;
  }
  problems.push({ label, found: describe(json, field.secret), allowed });
  return undefined;
}
