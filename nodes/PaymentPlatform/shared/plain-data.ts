import { isList, isObject, type DataValue } from './objects';

/** No request of the service is nested as deeply. */
const MOST_LEVELS = 1000;

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
  if (around.length === MOST_LEVELS) throw new Error('the value is nested too deeply');
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
