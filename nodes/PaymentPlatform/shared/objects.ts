import type { IDataObject } from 'n8n-workflow';

/** What an item of n8n can hold under a name. */
export type DataValue = IDataObject[string];

/** Whether a value is an object with named fields: not null, not an array. */
export function isObject(value: unknown): value is IDataObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a list, of whatever. */
export function isList(value: unknown): value is DataValue[] {
  return Array.isArray(value);
}

/** The object that a value is; one without fields when it is none. */
export const objectIn = (value: unknown): IDataObject => (isObject(value) ? value : {});

/** The objects in a list; none when it is no list. */
export const objectsIn = (value: unknown): IDataObject[] => (isList(value) ? value.filter(isObject) : []);

/** The fields of an object that are named, in the order of the names; one that it lacks is left out. */
export function only<Fields extends object, const Name extends keyof Fields & string>(
  object: Fields,
  names: readonly Name[],
): { [One in Name]?: Fields[One] };
export function only(object: IDataObject, names: readonly string[]): IDataObject {
  return Object.fromEntries(names.filter((name) => name in object).map((name) => [name, object[name]]));
}

/** Most levels of lists and objects in a value. The node walks values by calls, and calls can't be nested at will. */
const MOST_LEVELS = 100;
/** Values of a list that holds itself several times would double with each level. */
const MOST_VALUES = 5_000_000;

/** What is allowed instead of a value that `isTooDeep`. */
export const NOT_DEEPER = `must not be nested deeper than ${MOST_LEVELS} levels`;

/** Whether a value has too many levels of lists and objects, or holds itself. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  let count = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length;
    if (depth > MOST_LEVELS || count > MOST_VALUES) return true;
    level = level.flatMap((one): unknown[] => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}

/** The texts in a list; none when it is no list. */
export const textsIn = (value: unknown): string[] =>
  isList(value) ? value.filter((one) => typeof one === 'string') : [];

/** What JSON text means; `undefined` when it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A number of so many digits may have lost some. */
const LONG = /\d{16}/;
/** The texts and numbers of valid JSON. A text is taken whole, so that no number is seen in it. */
const TEXTS_AND_NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * What JSON text of the service means, without the loss of a digit: a whole number that JavaScript would round, as an ID
 * of 18 digits is, is read as text. `undefined` when it is no JSON.
 */
export function exactJson(text: string): unknown {
  const parsed = parsedJson(text);
  return parsed !== undefined && LONG.test(text) ? parsedJson(text.replace(TEXTS_AND_NUMBERS, asExact)) : parsed;
}

const asExact = (token: string): string =>
  /^-?\d+$/.test(token) && typeof exactInteger(token) === 'string' ? `"${token}"` : token;

/** A whole number that text writes; the text itself where JavaScript would round it. */
export const exactInteger = (text: string): number | string =>
  Number.isSafeInteger(Number(text)) ? Number(text) : text;

/** A value as text: text and numbers as they are, nothing as empty text, anything else as JSON. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return String(value);
  if (value === undefined || value === null) return '';
  // JSON has nothing for a function or a symbol.
  const json: string | undefined = JSON.stringify(value);
  return json ?? typeof value;
}

/** Data that arrives as a single object counts as one record (service.md#lists). */
export function asRecords(data: unknown): IDataObject[] {
  return isObject(data) && Object.keys(data).length > 0 ? [data] : objectsIn(data);
}
