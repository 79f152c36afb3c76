import { join } from 'node:path';

import { readDocument, resolve as resolveIn } from '../../interface/document';
import type { Moves } from '../../nodes/PaymentPlatform/wire/facts';

/** The parts of a JSON schema, and of the marks beside it (interface/README.md), that are read here. */
export interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  properties?: Record<string, Schema | boolean>;
  items?: Schema;
  enum?: Array<string | number>;
  required?: string[] | boolean;
  pattern?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  contentMediaType?: string;
  allOf?: Schema[];
  oneOf?: Schema[];
  'x-source'?: 'document' | 'reference';
  'x-constraints-source'?: 'document' | 'reference';
  'x-secret'?: boolean;
  'x-masked'?: 'account' | 'card' | 'hidden';
  'x-amount'?: boolean;
  'x-known-conditionals'?: Record<string, unknown>;
  'x-known-values'?: Record<string, string>;
  'x-reference'?: boolean | 'own';
  'x-record-id'?: boolean | 'beside';
  'x-records'?: string;
  'x-parameter'?: string;
  'x-record-name'?: string;
  'x-readable'?: 'id' | 'text';
  'x-meaning'?: 'day' | 'instant';
  'x-zone'?: string;
  'x-weight'?: 'words' | 'manner' | 'whom' | 'means';
  'x-account'?: 'merchantId';
  'x-max-digits'?: number;
  'x-decimals'?: number;
  'x-max-bytes'?: number;
  'x-default'?: string | number | boolean;
  'x-format'?: string;
  'x-pattern-words'?: string;
}

export interface Parameter extends Schema {
  name: string;
  in: 'path' | 'query';
  schema: Schema;
  example?: unknown;
}

interface Described {
  schema: Schema;
  examples?: Record<string, { value: unknown }>;
}

interface Content {
  content?: { 'application/json'?: Described; 'multipart/form-data'?: Described };
}

export interface DescribedOperation {
  operationId: string;
  'x-source': 'document' | 'reference';
  'x-money': 'reads' | 'writes once' | 'repeats safely';
  'x-moves'?: Moves;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

interface InterfaceDocument {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: Record<string, Record<string, Schema>>;
  webhooks: { delivery: { post: { 'x-events': DescribedEvent[] } } };
  'x-fields-elsewhere'?: Record<string, Schema>;
  'x-words-elsewhere'?: string[];
  'x-moves-elsewhere'?: Record<string, Moves>;
  'x-reads-elsewhere'?: string[];
}

/** An event, and the component schema that its `data` is like, where that is known. */
export interface DescribedEvent {
  name: string;
  data: string | null;
}

/** An operation where it stands. */
export interface PlacedOperation {
  method: string;
  path: string;
  operation: DescribedOperation;
}

export const root = join(__dirname, '..', '..');
const description = readDocument() as InterfaceDocument;

/**
 * What a reference points to, with the marks that stand beside the reference laid over it.
 * @throws Error when there is nothing at the reference.
 */
export const resolve = <One extends Schema>(schema: One): One => resolveIn(description, schema);

/** A component schema by its name. */
export const component = (name: string): Schema => resolve({ $ref: `#/components/schemas/${name}` });

/** The names of all component schemas. */
export const componentNames = (): string[] => Object.keys(description.components.schemas ?? {});

/** Marked fields that stand in no operation of the description, and names of words that no source has. */
export const fieldsElsewhere = (): Record<string, Schema> => ({
  ...description['x-fields-elsewhere'],
  ...Object.fromEntries((description['x-words-elsewhere'] ?? []).map((name): [string, Schema] => [name, WORDS])),
});

/** How much requests move that no operation describes, by method and path: `POST /pg/sale`. */
export const movesElsewhere = (): Array<[string, Moves]> => Object.entries(description['x-moves-elsewhere'] ?? {});

/** Paths at which a GET only reads, and that no operation describes. */
export const readsElsewhere = (): string[] => description['x-reads-elsewhere'] ?? [];

const WORDS: Schema = { 'x-weight': 'words' };

/** The properties of a schema, those of the schemas that it is composed of included. */
export function propertiesOf(schema: Schema): Record<string, Schema> {
  const { allOf = [], properties = {} } = resolve(schema);
  const own = Object.entries(properties).filter((entry): entry is [string, Schema] => typeof entry[1] === 'object');
  return Object.assign({}, ...allOf.map(propertiesOf), Object.fromEntries(own)) as Record<string, Schema>;
}

/**
 * An operation of the interface by its operationId, with its parameters resolved.
 * @throws Error when there is none.
 */
export function describedOperation(operationId: string): DescribedOperation {
  const found = describedOperations().find(({ operation }) => operation.operationId === operationId);
  if (!found) throw new Error(`interface/openapi.yaml has no operation ${operationId}`);
  return found.operation;
}

/** All operations in the order of the description, with their parameters resolved. */
export const describedOperations = (): PlacedOperation[] =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: { ...operation, parameters: (operation.parameters ?? []).map(resolve) },
    })),
  );

/** The events that the service delivers, in the order of the description. */
export const describedEvents = (): DescribedEvent[] => description.webhooks.delivery.post['x-events'];

/** Schema and first example of a body: JSON, or a form, where a file is part of it. */
export function bodyOf({ content }: Content = {}): { schema?: Schema; example?: unknown; isForm?: true } {
  const form = content?.['multipart/form-data'];
  const body = form ?? content?.['application/json'];
  const example = Object.values(body?.examples ?? {})[0]?.value;
  return { schema: body?.schema, example, ...(form && { isForm: true }) };
}

/** What is left of an answer that went well and holds no record. */
const withoutEnvelope = (fields: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'code' && name !== 'message'));

/** The field of `data` that holds the records, where they stand in an object of their own (interface/README.md#marks). */
export function recordsField(schema: Schema): string | undefined {
  const { data } = propertiesOf(schema);
  return data && resolve(data)['x-records'];
}

/** The record in the envelope (service.md#families): one of the list, where `data` is a list or holds one. */
export function recordSchema(family: string, schema: Schema): Schema {
  const { data, ...others } = family === 'platform' ? propertiesOf(schema) : {};
  if (family === 'platform' && !data) return { type: 'object', properties: withoutEnvelope(others) };
  if (!data) return schema;
  const held = propertiesOf(data)[recordsField(schema) ?? ''];
  const list = resolve(held ?? data);
  return list.items ?? list.oneOf?.find(({ items }) => items)?.items ?? data;
}
