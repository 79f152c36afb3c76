import type { IDataObject } from 'n8n-workflow';

/** Value of a field in an n8n item. */
export type DataValue = IDataObject[string];

/** Excludes null and arrays. */
export function isObject(value: unknown): value is IDataObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is an array. */
export function isList(value: unknown): value is DataValue[] {
  return Array.isArray(value);
}

/** Returns an empty object if the value isn't an object. */
export const objectIn = (value: unknown): IDataObject => (isObject(value) ? value : {});

/** Returns an empty list if the value isn't a list. */
export const objectsIn = (value: unknown): IDataObject[] => (isList(value) ? value.filter(isObject) : []);

/** Returns a copy with only the named fields, in the order of the names. */
export function only<Fields extends object, const Name extends keyof Fields & string>(
  object: Fields,
  names: readonly Name[],
): { [One in Name]?: Fields[One] };
export function only(object: IDataObject, names: readonly string[]): IDataObject {
  return Object.fromEntries(names.filter((name) => name in object).map((name) => [name, object[name]]));
}

/** Caches the result of a function for each object. */
export function computeOnce<Key extends object, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, { result: Result }>();
  return (key) => {
    const known = results.get(key) ?? { result: compute(key) };
    results.set(key, known);
    return known.result;
  };
}

/** The node reads nested values recursively, and much deeper values would overflow the stack. */
const MOST_LEVELS = 100;
/** In a list that contains itself twice, the number of values doubles with each level. */
const MOST_VALUES = 5_000_000;

export const NOT_DEEPER = `must not be nested deeper than ${MOST_LEVELS} levels`;

/** Returns whether a value is nested too deeply or contains itself. */
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

/** Returns the strings in a list, or an empty list if the value isn't a list. */
export const textsIn = (value: unknown): string[] =>
  isList(value) ? value.filter((one) => typeof one === 'string') : [];

/** Returns `undefined` if the text isn't valid JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JavaScript can round numbers of 16 or more digits. */
const LONG = /\d{16}/;
/** Matches each JSON string as a whole, so that digits in a string don't match as a number. */
const TEXTS_AND_NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * Parses JSON without losing digits: a whole number that JavaScript would round becomes text. Returns `undefined` for
 * invalid JSON.
 */
export function exactJson(text: string): unknown {
  const parsed = parsedJson(text);
  return parsed !== undefined && LONG.test(text) ? parsedJson(text.replace(TEXTS_AND_NUMBERS, asExact)) : parsed;
}

const asExact = (token: string): string =>
  /^-?\d+$/.test(token) && typeof exactInteger(token) === 'string' ? `"${token}"` : token;

/** Converts text to a whole number. Returns the text itself if JavaScript would round the number. */
export const exactInteger = (text: string): number | string =>
  Number.isSafeInteger(Number(text)) ? Number(text) : text;

/** Null and undefined become empty text, and objects become JSON. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return String(value);
  if (value === undefined || value === null) return '';
  // `JSON.stringify` returns `undefined` for functions and symbols.
  const json: string | undefined = JSON.stringify(value);
  return json ?? typeof value;
}

/** A single object becomes a list with one record (service.md#lists). */
export function asRecords(data: unknown): IDataObject[] {
  return isObject(data) && Object.keys(data).length > 0 ? [data] : objectsIn(data);
}

/** Ignores case. Locale rules would take longer to load than the node itself. */
export function alphabetically(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Far deeper than any request that the payment service accepts. */
const DEEPEST = 1000;

/**
 * Copies a value so that the node sends exactly the data that it checked. An object from an expression can return new
 * data on each read.
 * @throws Error if the value contains itself, is nested too deeply or is a function.
 */
export function plainData(value: unknown, around: readonly unknown[] = []): DataValue {
  if (isSingle(value)) return value;
  if (typeof value === 'function') throw new Error('the value is a function');
  if (around.includes(value)) throw new Error('the value contains itself');
  if (around.length === DEEPEST) throw new Error('the value is nested too deeply');
  const content = dateIn(value) ?? contentOf(value);
  if (isSingle(content) || content instanceof Date) return content;
  const inside = [...around, value];
  if (isList(content)) return Array.from(content, (one) => (isFunction(one) ? null : plainData(one, inside)));
  const named = Object.entries(isObject(content) ? content : {}).filter(([, one]) => !isFunction(one));
  return Object.fromEntries(named.map(([name, one]) => [name, plainData(one, inside)]));
}

const isFunction = (value: unknown) => typeof value === 'function';

const isSingle = (value: unknown): value is string | number | boolean | null | undefined =>
  value === null || (typeof value !== 'object' && typeof value !== 'function');

/** Avoids the value's own methods, which an expression could have replaced. */
function dateIn(value: unknown): Date | undefined {
  try {
    return new Date(Date.prototype.getTime.call(value));
  } catch {
    return undefined;
  }
}

/** Returns an invalid date for an invalid luxon DateTime, whose JSON is null. */
function contentOf(value: object): unknown {
  const { toJSON, toISO }: { toJSON?: unknown; toISO?: unknown } = value;
  if (typeof toJSON !== 'function') return value;
  const json: unknown = toJSON.call(value, '');
  return json === null && typeof toISO === 'function' ? new Date(NaN) : json;
}
