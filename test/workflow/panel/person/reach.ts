import {
  bodyOf,
  describedOperation,
  propertiesOf,
  resolve,
  type Schema,
} from '../../../../interface/generate/interface-document';
import type { Seen } from './service';

/** Returns the paths of all fields in a sent request, such as `line_items.unit_cost`. */
export function fieldsSent({ path, query, body }: Pick<Seen, 'path' | 'query' | 'body'>): string[] {
  return [...Object.keys(path), ...Object.keys(query), ...inside(body, '')];
}

function inside(value: unknown, prefix: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => inside(one, prefix));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, own]) => [`${prefix}${name}`, ...inside(own, `${prefix}${name}.`)]);
}

/** Returns the paths of all request fields in the interface description, such as `line_items.unit_cost`. */
export function fieldsKnown(operationId: string): string[] {
  const { parameters = [], requestBody } = describedOperation(operationId);
  const { schema } = bodyOf(requestBody);
  return [...parameters.map(({ name }) => name), ...(schema ? known(schema, '') : [])];
}

function known(schema: Schema, prefix: string): string[] {
  const { items } = resolve(schema);
  if (items) return known(items, prefix);
  const parts = {
    ...propertiesOf(schema),
    ...Object.assign({}, ...(resolve(schema).oneOf ?? []).map(propertiesOf)),
  } as Record<string, Schema>;
  return Object.entries(parts).flatMap(([name, own]) => [`${prefix}${name}`, ...known(own, `${prefix}${name}.`)]);
}
