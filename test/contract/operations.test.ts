import type { IDataObject } from 'n8n-workflow';

import { choicesOf } from '../../docs/generate/choices';
import { resolve } from '../../interface/generate/interface-document';
import { readDocument } from '../../interface/document';
import { editorProperties } from '../../nodes/PaymentPlatform/fields/editor';
import { readFields } from '../../nodes/PaymentPlatform/fields/read-field';
import { wireFields } from '../../nodes/PaymentPlatform/fields/kinds/group';
import type { Field, Problem } from '../../nodes/PaymentPlatform/fields/types';
import { parameterName } from '../../nodes/PaymentPlatform/fields/value';
import type { Operation } from '../../nodes/PaymentPlatform/model/types';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { testEvery } from '../every-case';
import { undecided } from './every-field';

interface Schema {
  $ref?: string;
  enum?: Array<string | number>;
  properties?: Record<string, Schema>;
  items?: Schema;
}
interface Described {
  operationId: string;
  parameters?: Array<{ $ref?: string; name: string; in: string }>;
  requestBody?: {
    content: Record<string, { schema: Schema; examples?: Record<string, { value: IDataObject }> }>;
  };
}
interface Document {
  paths: Record<string, Record<string, Described>>;
}

const document = readDocument() as Document;

/** Excludes the custom request, which the interface doesn't describe. */
const operations = resources.flatMap(({ value, operations: list }) =>
  list.filter(({ shape }) => !shape).map((operation) => ({ name: `${value}.${operation.value}`, operation })),
);
const described = ({ request }: Operation) => document.paths[request.path]?.[request.method.toLowerCase()] as Described;
const bodyOf = (operation: Operation) => Object.values(described(operation).requestBody?.content ?? {})[0];

function schemaFields(schema: Schema, prefix = ''): string[] {
  const { properties, items } = resolve(schema);
  if (items) return schemaFields(items, prefix);
  return Object.entries(properties ?? {}).flatMap(([name, inner]) => [
    `${prefix}${name}`,
    ...schemaFields(inner, `${prefix}${name}.`),
  ]);
}

const declaredFields = (fields: Field[], prefix = ''): string[] =>
  fields.flatMap(({ name, fields: inner }) => [
    `${prefix}${name}`,
    ...declaredFields(inner ?? [], `${prefix}${name}.`),
  ]);

const everyField = ({ fields, additional = [] }: Operation) => wireFields([...fields, ...additional]);

/** Query fields that the node sets to read the pages of a list. */
const PAGING = ['count', 'page'];
/** Request fields that an operation doesn't send, because they belong to a different operation. */
const ELSEWHERE: Record<string, string[]> = {
  'card.tokenize': ['card_id'],
  // The operation requires a customer ID, so the service never generates an ID.
  'customer.upsert': ['auto_generate_customer_id'],
  // The service can't move a webhook to a different merchant.
  'webhook.update': ['webhook_node'],
};

testEvery(operations)('the interface describes each operation at its method and path', ({ operation }) => {
  expect(described(operation)?.operationId).toBe(operation.request.operationId);
});

testEvery(operations)(
  'every body field of the interface has a parameter, and every parameter has a field',
  ({ name, operation }) => {
    const body = bodyOf(operation);
    const wanted = body ? schemaFields(body.schema).filter((field) => !ELSEWHERE[name]?.includes(field)) : [];
    const declared = declaredFields(everyField(operation).filter(({ place }) => place === 'body'));
    expect(declared.sort()).toEqual(wanted.sort());
  },
);

testEvery(operations)('every path and query parameter of the interface is reachable', ({ operation }) => {
  const wanted = (described(operation).parameters ?? [])
    .map(resolve)
    .filter(({ in: place, name }) => place !== 'header' && !(operation.list && PAGING.includes(name)))
    .map(({ in: place, name }) => `${place}:${name}`);
  const declared = everyField(operation)
    .filter(({ place }) => place !== 'body' && place !== 'node')
    .map(({ place, name }) => `${place}:${name}`);
  expect(declared.sort()).toEqual(wanted.sort());
});

/** Create and Update share one request, and only Update sends a card ID. */
const belongsTo = (name: string, operation: Operation, value: IDataObject) =>
  !ELSEWHERE[name]?.some((field) => field in value) &&
  operation.fields.every((field) => !field.required || field.place !== 'body' || field.name in value);

/** The interface's examples contain calendar days, but the node sends timestamps. */
const withTimestamps = (value: IDataObject) =>
  Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key.startsWith('date_') && typeof inner === 'string'
        ? inner.replace(/^(\d{4}-\d\d-\d\d)$/, '$1T00:00:00.000Z')
        : inner,
    ]),
  );

/** Excludes forms, because parameters can't contain the files of a form. */
const examples = operations
  .filter(({ operation }) => operation.request.encoding === undefined)
  .flatMap(({ name, operation }) =>
    Object.entries(bodyOf(operation)?.examples ?? {})
      .filter(([, { value }]) => belongsTo(name, operation, value))
      .map(([title, { value }]) => ({ name, title, operation, value })),
  );

const asText = (value: unknown): unknown => {
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(asText);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asText(inner)]));
  return value;
};
const asNumbers = (value: unknown): unknown => {
  if (typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value)) return Number(value);
  if (Array.isArray(value)) return value.map(asNumbers);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asNumbers(inner)]));
  return value;
};

/** Parameters that a user fills in alongside or instead of a field of the interface. */
const inTheEditor: Record<string, (value: IDataObject) => IDataObject> = {
  // An empty card ID in the example corresponds to the choice of the primary card.
  card_id: ({ length }) => (length === 0 ? { chargedBy: 'primary' } : {}),
  payment_terms: ({ type, value }) => (type === 'DATE' ? { date_due: value } : { date_due: '', dueAfterDays: value }),
};

const hasSwitch = (operation: Operation, key: string) =>
  everyField(operation).some((field) => editorProperties(field).some(({ name }) => name === `${key}Mode`));

describe.each([
  ['as it stands', (value: unknown) => value],
  ['with numbers as text', asText],
  ['with text of digits as numbers', asNumbers],
])('the example of the interface, %s', (_, change) => {
  testEvery(examples)('a request sends parameters in their wire format', ({ operation, value }) => {
    const given = change(value) as IDataObject;
    const parameters = Object.fromEntries(
      Object.entries(given).flatMap(([key, inner]) => [
        [key, inner],
        ...(key.endsWith('_fields') || key === 'report_data' || Array.isArray(inner) || hasSwitch(operation, key)
          ? [[`${key}Json`, inner]]
          : []),
        [`${key}Mode`, 'json'],
        ...Object.entries(inTheEditor[key]?.(inner as IDataObject) ?? {}),
      ]),
    ) as IDataObject;
    for (const key of ['echo_fields', 'report_data']) delete parameters[key];
    for (const key of ['line_items']) delete parameters[key];
    for (const { name, parameter } of everyField(operation))
      if (parameter !== undefined && name in given) parameters[parameter] ??= given[name];
    const problems: Problem[] = [];
    const fields = everyField(operation).filter(({ place }) => place === 'body');
    for (const field of fields) Object.assign(parameters, undecided(field));
    const sent = readFields(fields, parameters, problems, { timezone: 'America/New_York' });
    expect(problems).toEqual([]);
    expect(sent).toEqual(withTimestamps(value));
  });
});

testEvery(operations)('empty optional parameters send nothing', ({ operation }) => {
  const empty = Object.fromEntries(
    everyField(operation).flatMap((field) =>
      editorProperties(field).map(({ name, type }) => [
        name,
        type === 'collection' || type === 'fixedCollection' ? {} : '',
      ]),
    ),
  );
  const optional = everyField(operation).filter(({ required }) => !required);
  expect(readFields(optional, empty, [], { timezone: 'utc' })).toEqual({});
});

function choiceFields(
  fields: Field[],
  schema: Schema,
  prefix = '',
): Array<{ path: string; offered: unknown[]; schema: Schema }> {
  const described = resolve(schema);
  const { properties = {} } = described.items ? resolve(described.items) : described;
  return fields.flatMap((field) => {
    const own = properties[field.name];
    if (!own) return [];
    const inner = resolve(own);
    if (field.fields) return choiceFields(field.fields, inner, `${prefix}${field.name}.`);
    const property = editorProperties(field).find(({ name }) => name === parameterName(field));
    const offered = (property ? choicesOf(property) : []).flatMap(({ value }) => (value === '' ? [] : [value]));
    return inner.enum ? [{ path: `${prefix}${field.name}`, offered, schema: inner }] : [];
  });
}

const choices = operations.flatMap(({ name, operation }) => {
  const body = bodyOf(operation);
  return body ? choiceFields(everyField(operation), body.schema).map((choice) => ({ name, ...choice })) : [];
});

testEvery(choices)('a choice offers every value that the interface accepts', ({ offered, schema }) => {
  expect(offered.map(String).sort()).toEqual((schema.enum ?? []).map(String).sort());
});
