import type { IDataObject } from 'n8n-workflow';

/** Value that a field of an n8n item can have. */
export type DataValue = IDataObject[string];

/** Returns whether a value is an object with named fields, not null and not an array. */
export function isObject(value: unknown): value is IDataObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is a list. */
export function isList(value: unknown): value is DataValue[] {
  return Array.isArray(value);
}

/** Returns the value if it is an object, or else an empty object. */
export const objectIn = (value: unknown): IDataObject => (isObject(value) ? value : {});

/** Returns the objects in a list, or an empty list if the value isn't a list. */
export const objectsIn = (value: unknown): IDataObject[] => (isList(value) ? value.filter(isObject) : []);

/** Returns an object with only the named fields, in the order of the names. Missing fields are left out. */
export function only<Fields extends object, const Name extends keyof Fields & string>(
  object: Fields,
  names: readonly Name[],
): { [One in Name]?: Fields[One] };
export function only(object: IDataObject, names: readonly string[]): IDataObject {
  return Object.fromEntries(names.filter((name) => name in object).map((name) => [name, object[name]]));
}

/** Returns a function that computes its result only once for each object. */
export function computeOnce<Key extends object, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, { result: Result }>();
  return (key) => {
    const known = results.get(key) ?? { result: compute(key) };
    results.set(key, known);
    return known.result;
  };
}

/**
 * Maximum depth of lists and objects in a value. The node walks values recursively, and deeper values would overflow
 * the stack.
 */
const MOST_LEVELS = 100;
/** Maximum number of values, because a list that contains itself twice doubles the number with each level. */
const MOST_VALUES = 5_000_000;

/** Error message for a value that `isTooDeep` rejects. */
export const NOT_DEEPER = `must not be nested deeper than ${MOST_LEVELS} levels`;

/** Returns whether a value has too many levels of lists and objects, or contains itself. */
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

/** Returns the texts in a list, or an empty list if the value isn't a list. */
export const textsIn = (value: unknown): string[] =>
  isList(value) ? value.filter((one) => typeof one === 'string') : [];

/** Parses JSON text. Returns `undefined` if the text isn't valid JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A number with this many digits can lose some of them in JavaScript. */
const LONG = /\d{16}/;
/**
 * Matches the strings and numbers of valid JSON. Strings are matched as a whole, so that digits in them don't count as
 * numbers.
 */
const TEXTS_AND_NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * Parses the service's JSON without losing digits. A whole number that JavaScript would round, such as an ID of 18
 * digits, becomes text. Returns `undefined` if the text isn't valid JSON.
 */
export function exactJson(text: string): unknown {
  const parsed = parsedJson(text);
  return parsed !== undefined && LONG.test(text) ? parsedJson(text.replace(TEXTS_AND_NUMBERS, asExact)) : parsed;
}

const asExact = (token: string): string =>
  /^-?\d+$/.test(token) && typeof exactInteger(token) === 'string' ? `"${token}"` : token;

/** Returns the whole number in a text, or the text itself if JavaScript would round the number. */
export const exactInteger = (text: string): number | string =>
  Number.isSafeInteger(Number(text)) ? Number(text) : text;

/** Returns a value as text. Null and undefined become empty text, and objects become JSON. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return String(value);
  if (value === undefined || value === null) return '';
  // JSON.stringify returns undefined for functions and symbols.
  const json: string | undefined = JSON.stringify(value);
  return json ?? typeof value;
}

/** Returns the records in data. A single object counts as one record (service.md#lists). */
export function asRecords(data: unknown): IDataObject[] {
  return isObject(data) && Object.keys(data).length > 0 ? [data] : objectsIn(data);
}

/** Compares English labels and ignores case. Locale rules would take n8n longer to load than the node. */
export function alphabetically(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Maximum depth of a value. No request of the service is nested this deeply. */
const DEEPEST = 1000;

/**
 * Copies a value so that the copy contains only data: the value's JSON, read once. An object from an expression can
 * return another value at each reading (`toJSON`, a getter, a proxy), so the node checks and sends the copy. Dates stay
 * dates, because a date has no time zone of its own.
 * @throws Error if the value contains itself, is nested too deeply, is a function, or has a function that fails.
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

/** Returns a new date with the same time. Reads the time without calling functions of the object. */
function dateIn(value: unknown): Date | undefined {
  try {
    return new Date(Date.prototype.getTime.call(value));
  } catch {
    return undefined;
  }
}

/** Returns the result of an object's own `toJSON`, or the object. An invalid luxon DateTime becomes an invalid date. */
function contentOf(value: object): unknown {
  const { toJSON, toISO }: { toJSON?: unknown; toISO?: unknown } = value;
  if (typeof toJSON !== 'function') return value;
  const json: unknown = toJSON.call(value, '');
  return json === null && typeof toISO === 'function' ? new Date(NaN) : json;
}
