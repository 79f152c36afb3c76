import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

type Json = Record<string, unknown>;

let parsed: unknown;

/**
 * interface/openapi.yaml, parsed once: the one formal description that the sandbox, the generated files and the tests go by.
 * Nobody changes it.
 */
export const readDocument = (): unknown => (parsed ??= parse(readFileSync(join(__dirname, 'openapi.yaml'), 'utf8')));

/** The value at a JSON pointer such as `#/components/schemas/Contact`; `undefined` where there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~'))
    .reduce((value, part) => (isObject(value) || Array.isArray(value) ? (value as Json)[part] : undefined), document);
}

/** A name as a part of a JSON pointer. */
export const escapePart = (part: string): string => encodeURIComponent(part.replace(/~/g, '~0').replace(/\//g, '~1'));

/**
 * Where a pointer leads in the end: the place of the value that it names, or that the reference at its place names.
 * @throws Error when a reference names nothing.
 */
export function follow(document: unknown, pointer: string): { pointer: string; value: unknown } {
  const value = valueAt(document, pointer);
  const reference = referenceOf(value);
  return reference === undefined ? { pointer, value } : follow(document, existing(document, reference));
}

/**
 * What a reference names, with the marks that stand beside the reference laid over it; anything else as it is.
 * @throws Error when the reference names nothing.
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
