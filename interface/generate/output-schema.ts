import { isDeepStrictEqual } from 'node:util';

import { Settings } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { isObject, objectIn } from '../../nodes/PaymentPlatform/shared/objects';
import type { FieldValues, Operation } from '../../nodes/PaymentPlatform/model/types';
import { simplified, withGivenIds, typeRecord } from '../../nodes/PaymentPlatform/output/format-record';
import { codedFields, wordsFieldOf, WHAT_HAPPENED } from '../../nodes/PaymentPlatform/messages/what-happened';
import type { Kind } from '../../nodes/PaymentPlatform/wire/kinds';
import { UNMASKED_SECRETS } from '../../nodes/PaymentPlatform/wire/marks';
import {
  bodyOf,
  describedOperation,
  propertiesOf,
  recordSchema,
  recordsField,
  resolve,
  type Schema,
} from './interface-document';
import { KIND_OF, meaningOf } from './meanings';

/** Subset of JSON Schema that n8n's editor supports. */
export interface OutputSchema {
  type: string;
  description?: string;
  properties?: Record<string, OutputSchema>;
  items?: OutputSchema;
}

/**
 * Returns the schema of an operation's output item.
 * @param whole whether to turn off Simplify.
 * @returns `undefined` for custom requests, because their response is unknown.
 */
export function outputSchema(operation: Operation, whole = false): OutputSchema | undefined {
  const { operationId } = operation.request;
  if (!operationId) return undefined;
  return { type: 'object', properties: atNoon(() => shownProperties(operation, operationId, !whole)) };
}

/** Noon in the report's time zone. Near batch close, records omit the closing time. */
const NOON = Date.UTC(2026, 0, 15, 20);

/** Fixes the simulated time so that generated schemas are always identical. */
function atNoon<Result>(action: () => Result): Result {
  const { now } = Settings;
  Settings.now = () => NOON;
  try {
    return action();
  } finally {
    Settings.now = now;
  }
}

export const outputNames = (operation: Operation): string[] => Object.keys(outputSchema(operation)?.properties ?? {});

function shownProperties(operation: Operation, operationId: string, simplify: boolean): Record<string, OutputSchema> {
  const { schema, example } = bodyOf(describedOperation(operationId).responses['200']);
  if (!schema) throw new Error(`${operationId} has no response schema in interface/openapi.yaml`);
  const described = withoutSecrets(propertiesOf(recordSchema(operation.request.family, schema)));
  const plain = Object.fromEntries(Object.entries(described).map(([name, own]) => [name, flat(name, own)]));
  if (operation.request.effect === 'reads' && !operation.present && !(simplify && operation.simplified))
    return withWordSchemas({ ...plain, ...operation.adds }, operationId);
  const sample = {
    ...(sampleOf({ type: 'object', properties: plain }) as IDataObject),
    ...typeRecord(exampleRecord(example, recordsField(schema))),
  };
  const values = sampleValues(operationId);
  const record = withoutSecrets(withGivenIds(operation, operation.present?.(sample, values, values) ?? sample, values));
  const presented = typeRecord(simplify ? simplified(operation, record, values) : record);
  const properties = Object.fromEntries(
    Object.entries(presented).map(([name, value]) => {
      const own = plain[name];
      const unchanged = own && isDeepStrictEqual(value, sample[name]);
      return [name, unchanged ? own : schemaOf(value)];
    }),
  );
  // Adds declared fields that the node outputs only under certain conditions.
  const added = Object.keys(
    simplify ? simplified(operation, { ...record, ...operation.adds }, values) : { ...operation.adds },
  );
  for (const [name, own] of Object.entries(operation.adds ?? {})) if (added.includes(name)) properties[name] = own;
  const told = operation.summary && {
    [WHAT_HAPPENED]: { type: 'string', description: 'Description of what was done.' },
  };
  return { ...told, ...withWordSchemas(properties, operationId) };
}

/** Outputs omit these fields at any depth. */
const withoutSecrets = <Value>(fields: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !UNMASKED_SECRETS.includes(name)));

function withWordSchemas(properties: Record<string, OutputSchema>, operationId: string) {
  const coded = codedFields(operationId);
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, own]): Array<[string, OutputSchema]> => [
      [name, own],
      ...(coded.includes(name) ? [[wordsFieldOf(name), { type: 'string' }] as [string, OutputSchema]] : []),
    ]),
  );
}

/** Converts an output field's schema to the keywords that n8n's editor supports (records.md). */
export function flat(field: string, schema: Schema): OutputSchema {
  const { description, items, allOf, ...own } = resolve(schema);
  const type = allOf ? 'object' : own.type;
  const meaning = meaningOf(field, own);
  const isWhole = type === 'object' || type === 'array';
  return {
    type: isWhole ? type : meaning === 'whole number' ? 'integer' : TYPES[KIND_OF[meaning]],
    ...(description && { description }),
    ...(type === 'object' && {
      properties: Object.fromEntries(
        Object.entries(withoutSecrets(propertiesOf(schema))).map(([name, one]) => [name, flat(name, one)]),
      ),
    }),
    ...(items && { items: flat(field, items) }),
  };
}

const TYPES: Record<Kind, string> = {
  number: 'number',
  text: 'string',
  flag: 'boolean',
  day: 'string',
  instant: 'string',
  pacificInstant: 'string',
};

const SAMPLES: Record<string, unknown> = { string: 'text', integer: 1, number: 1.5, boolean: true };

export function sampleOf({ type, properties = {}, items }: OutputSchema): unknown {
  if (type === 'array') return items ? [sampleOf(items)] : [];
  if (type !== 'object') return SAMPLES[type];
  return Object.fromEntries(Object.entries(properties).map(([name, own]) => [name, sampleOf(own)]));
}

function exampleRecord(example: unknown, held = ''): IDataObject {
  if (isObject(example) && 'code' in example && !('data' in example)) return {};
  const answered = isObject(example) && 'data' in example ? example.data : example;
  const data = objectIn(answered)[held] ?? answered;
  const record: unknown = Array.isArray(data) ? data[0] : data;
  return isObject(record) ? record : {};
}

function sampleValues(operationId: string): FieldValues {
  const { parameters = [], requestBody } = describedOperation(operationId);
  const placed = (place: string) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, schema, example }) => [name, String(example ?? sampleOf(flat(name, schema)))]),
    );
  const { example } = bodyOf(requestBody);
  return { path: placed('path'), query: placed('query'), body: (example ?? {}) as IDataObject, node: {} };
}

/** Derives a schema from a value that the node adds to the record. */
export function schemaOf(value: unknown): OutputSchema {
  if (Array.isArray(value)) return { type: 'array', ...(value.length > 0 && { items: schemaOf(value[0]) }) };
  if (isObject(value))
    return {
      type: 'object',
      properties: Object.fromEntries(Object.entries(value).map(([name, own]) => [name, schemaOf(own)])),
    };
  return { type: Number.isInteger(value) ? 'integer' : typeof value };
}
