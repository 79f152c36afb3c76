import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

type Json = Record<string, unknown>;

let parsed: unknown;

/** Returns the parsed openapi.yaml, which callers must not change. */
export const readDocument = (): unknown => (parsed ??= parse(readFileSync(join(__dirname, 'openapi.yaml'), 'utf8')));

/** Returns the value at a JSON pointer, for example `#/components/schemas/Contact`. */
export function valueAt(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~'))
    .reduce((value, part) => (isObject(value) || Array.isArray(value) ? (value as Json)[part] : undefined), document);
}

/** Escapes a name for a JSON pointer. */
export const escapePart = (part: string): string => encodeURIComponent(part.replace(/~/g, '~0').replace(/\//g, '~1'));

/**
 * Follows a JSON pointer and all references. Returns the final pointer and value.
 * @throws Error if a reference has no target.
 */
export function follow(document: unknown, pointer: string): { pointer: string; value: unknown } {
  const value = valueAt(document, pointer);
  const reference = referenceOf(value);
  return reference === undefined ? { pointer, value } : follow(document, existing(document, reference));
}

/**
 * Resolves a reference and applies the keywords next to it. Returns other values unchanged.
 * @throws Error if the reference has no target.
 */
export function resolve<Value extends object>(document: unknown, value: Value): Value {
  const { $ref: reference, ...beside } = value as Json;
  if (typeof reference !== 'string') return value;
  return resolve(document, { ...(valueAt(document, existing(document, reference)) as Value), ...beside });
}

function existing(document: unknown, reference: string): string {
  if (valueAt(document, reference) === undefined) throw new Error(`interface/openapi.yaml has nothing at ${reference}`);
  return reference;
}

const referenceOf = (value: unknown): string | undefined =>
  isObject(value) && typeof value.$ref === 'string' ? value.$ref : undefined;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
