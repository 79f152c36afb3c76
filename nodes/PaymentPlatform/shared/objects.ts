import type { IDataObject } from 'n8n-workflow';

export type DataValue = IDataObject[string];

/** Excludes null and arrays. */
export function isObject(value: unknown): value is IDataObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is DataValue[] {
  return Array.isArray(value);
}

/** Returns an empty object if the value isn't an object. */
export const objectIn = (value: unknown): IDataObject => (isObject(value) ? value : {});

/** Returns an empty list if the value isn't a list. */
export const objectsIn = (value: unknown): IDataObject[] => (isList(value) ? value.filter(isObject) : []);

/** Returns no objects for a missing value, and `undefined` for any other value than a list of objects. */
export function onlyObjectsIn(value: unknown): IDataObject[] | undefined {
  if (value === undefined || value === null) return [];
  return isList(value) && value.every(isObject) ? value : undefined;
}

/** The fields are in the order of the names. */
export function only<Fields extends object, const Name extends keyof Fields & string>(
  object: Fields,
  names: readonly Name[],
): { [One in Name]?: Fields[One] };
export function only(object: IDataObject, names: readonly string[]): IDataObject {
  return Object.fromEntries(names.filter((name) => name in object).map((name) => [name, object[name]]));
}

/** Returns an object with the same names and other values. Takes a third of the time of `Object.fromEntries`. */
export function mapValues(fields: IDataObject, map: (value: DataValue, name: string) => DataValue): IDataObject {
  const mapped: IDataObject = {};
  for (const name of Object.keys(fields)) setField(mapped, name, map(fields[name], name));
  return mapped;
}

/** Adds an own field with any name. Assigning `__proto__` would change the prototype instead. */
export function setField(fields: IDataObject, name: string, value: DataValue): void {
  if (name === '__proto__') Object.defineProperty(fields, name, { value, ...OWN });
  else fields[name] = value;
}

const OWN = { enumerable: true, writable: true, configurable: true };

/** Caches the result for each object. */
export function computeOnce<Key extends object, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, { result: Result }>();
  return (key) => {
    const known = results.get(key) ?? { result: compute(key) };
    results.set(key, known);
    return known.result;
  };
}

const MOST_TEXTS = 1000;

/** Caches the results for up to 1,000 texts, because the records of a list repeat the same dates. */
export function computeOnceForText<Result>(compute: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = compute(text);
    if (results.size >= MOST_TEXTS) results.clear();
    results.set(text, result);
    return result;
  };
}

/** The node reads nested values recursively, and much deeper values would overflow the stack. */
const MOST_LEVELS = 100;
/** In a list that contains itself twice, the number of values doubles with each level. */
const MOST_VALUES = 5_000_000;

export const NOT_DEEPER = `must not be nested deeper than ${MOST_LEVELS} levels`;

const isCompound = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns whether a value is nested too deeply or contains itself. */
export function isTooDeep(value: unknown): boolean {
  let objects: unknown[] = [value];
  let count = 0;
  for (let [depth, size] = [0, 1]; size > 0; depth += 1) {
    count += size;
    if (depth > MOST_LEVELS || count > MOST_VALUES) return true;
    const level = objects;
    [objects, size] = [[], 0];
    for (const one of level)
      for (const inner of isCompound(one) ? Object.values(one) : []) {
        size += 1;
        if (isCompound(inner)) objects.push(inner);
      }
  }
  return false;
}

/** Returns an empty list if the value isn't a list. */
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

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;

/** Returns whether an object in a JSON text repeats a key, so that parsers may read other values. */
export function repeatsKey(json: string): boolean {
  const objects: Array<Set<unknown>> = [];
  let before = '';
  for (const [token] of json.matchAll(TOKENS)) {
    const keys = objects.at(-1);
    if (token === ':' && keys) {
      const key = parsedJson(before);
      if (keys.has(key)) return true;
      keys.add(key);
    }
    if (token === '{' || token === '[') objects.push(new Set());
    if (token === '}' || token === ']') objects.pop();
    before = token;
  }
  return false;
}

/** JavaScript can round numbers of 16 or more digits. Most strings with as many digits don't match. */
const LONG = /(?:^|[:,[\s-])\d{16}/;
/** Matches each string as a whole, so that digits in a string don't match as a number. */
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

/** Returns the text itself if JavaScript would round the number. */
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

/** Omits missing names. */
export const fullName = (...names: unknown[]): string => names.map(asText).filter(Boolean).join(' ');

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
 * @throws Error if the value contains itself, is too deep or is a function.
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

/** An expression could have replaced the value's own methods. */
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

export const comparableText = (value: unknown): string => asText(value).trim();

/** Texts that look equal, such as letters with combined or separate accents, become equal. */
export const inOneForm = (text: string): string => text.trim().normalize('NFC').replace(/\s/g, ' ');

const NUMERIC_TEXT = /^[+-]?\d+(\.\d+)?$/;

/** Returns `undefined` if the amount is ambiguous. */
export function readableNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && NUMERIC_TEXT.test(value.trim()) ? Number(value) : undefined;
}

/** Whole cents make sums exact. */
export const toCents = (amount: number) => Math.round(amount * 100);

/** Omits the sign. Returns `undefined` for an unreadable amount. */
export function centsOf(value: unknown): number | undefined {
  const amount = readableNumber(value);
  return amount === undefined ? undefined : Math.abs(toCents(amount));
}

/** An unreadable amount equals no other amount. */
export const isSameAmount = (shown: unknown, sent: unknown): boolean =>
  centsOf(sent) !== undefined && centsOf(shown) === centsOf(sent);
const HALF_CHARACTERS = /\p{Surrogate}/gu;

/** Returns whether text is well-formed Unicode. Checks all texts and names at any depth. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.search(HALF_CHARACTERS) < 0;
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => isWellFormed(name) && isWellFormed(inner));
}

/** Replaces half characters, which UTF-8 can't encode, by U+FFFD. */
export const wellFormed = (text: string): string => text.replace(HALF_CHARACTERS, '\ufffd');

/** Characters that users can't see or that change the direction of text, except line breaks and tabs. */
export const INVISIBLE = '(?:(?![\\t\\n\\r])[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800])';

const HIDDEN = new RegExp(INVISIBLE, 'gu');
const BLANK = new RegExp(`^(?:\\s|${INVISIBLE})*$`, 'u');

export const isBlank = (text: string): boolean => BLANK.test(text);

export const withoutInvisible = (text: string): string => text.replace(HIDDEN, '');

/** Replaces each invisible character by its code, such as [U+200B]. */
export const showInvisible = (text: string): string =>
  text.replace(HIDDEN, (sign) => `[U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`);

let characters: Intl.Segmenter | undefined;

/**
 * Cuts text to at most `most` UTF-16 code units. Never cuts a character that users see as one, such as a flag, unless
 * the character alone is too long.
 */
export function cut(text: string, most: number): string {
  if (text.length <= most) return wellFormed(text);
  characters ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  const end = characters.segment(text).containing(most)?.index ?? 0;
  return wellFormed(text.slice(0, end > 0 ? end : most));
}

export const shortened = (text: string, most: number): string =>
  text.length > most ? `${cut(text, most - 3)}...` : wellFormed(text);
