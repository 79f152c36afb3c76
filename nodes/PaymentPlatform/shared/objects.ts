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

/** The order of English labels, upper and lower case alike. The rules of a locale would take n8n longer to load than the node. */
export function alphabetically(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a === b ? 0 : a < b ? -1 : 1;
}

/** No request of the service is nested as deeply. */
const DEEPEST = 1000;

/**
 * Copies a value so that the copy holds only data: what the JSON of the value would hold, read once. An object of an
 * expression can give another value at each reading (`toJSON`, a getter, a proxy), so the node checks and sends the copy.
 * Dates stay dates, because a date has no time zone of its own.
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

/** A new date of the same moment. Only a real date has this moment, whatever its own functions return. */
function dateIn(value: unknown): Date | undefined {
  try {
    return new Date(Date.prototype.getTime.call(value));
  } catch {
    return undefined;
  }
}

/** What an object's own `toJSON` returns, or the object. A luxon DateTime that is no date stays one. */
function contentOf(value: object): unknown {
  const { toJSON, toISO }: { toJSON?: unknown; toISO?: unknown } = value;
  if (typeof toJSON !== 'function') return value;
  const json: unknown = toJSON.call(value, '');
  return json === null && typeof toISO === 'function' ? new Date(NaN) : json;
}
