import { join } from 'node:path';

import { readDocument, resolve as resolveIn } from '../document';
import type { Moves } from '../../nodes/PaymentPlatform/wire/facts';

/** JSON schema keywords that the generator reads. interface/README.md describes the x- keywords. */
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
  contentSchema?: Schema;
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
  'x-weight'?: 'words' | 'manner' | 'whom' | Role;
  'x-account'?: 'merchantId';
  'x-max-digits'?: number;
  'x-decimals'?: number;
  'x-max-bytes'?: number;
  'x-default'?: string | number | boolean;
  'x-format'?: string;
  'x-pattern-words'?: string;
}

/** Roles of the fields that identify a payment. */
export const ROLES = ['merchant', 'customer', 'payee', 'account', 'currency'] as const;
type Role = (typeof ROLES)[number];

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

/** Webhook event. `data` is a component schema's name, or null if unknown. */
export interface DescribedEvent {
  name: string;
  data: string | null;
}

export interface PlacedOperation {
  method: string;
  path: string;
  operation: DescribedOperation;
}

export const root = join(__dirname, '..', '..');
const description = readDocument() as InterfaceDocument;

/**
 * Resolves a reference and applies the keywords next to it.
 * @throws Error if the reference has no target.
 */
export const resolve = <One extends Schema>(schema: One): One => resolveIn(description, schema);

export const component = (name: string): Schema => resolve({ $ref: `#/components/schemas/${name}` });

export const componentNames = (): string[] => Object.keys(description.components.schemas ?? {});

/** Returns the fields that openapi.yaml describes outside its operations. */
export const fieldsElsewhere = (): Record<string, Schema> => ({
  ...description['x-fields-elsewhere'],
  ...Object.fromEntries((description['x-words-elsewhere'] ?? []).map((name): [string, Schema] => [name, WORDS])),
});

/** Returns the amounts moved by requests that no operation describes, for example `POST /pg/sale`. */
export const movesElsewhere = (): Array<[string, Moves]> => Object.entries(description['x-moves-elsewhere'] ?? {});

/** Returns the paths of read-only GET requests that no operation describes. */
export const readsElsewhere = (): string[] => description['x-reads-elsewhere'] ?? [];

const WORDS: Schema = { 'x-weight': 'words' };

export function propertiesOf(schema: Schema): Record<string, Schema> {
  const { allOf = [], properties = {} } = resolve(schema);
  const own = Object.entries(properties).filter((entry): entry is [string, Schema] => typeof entry[1] === 'object');
  return Object.assign({}, ...allOf.map(propertiesOf), Object.fromEntries(own)) as Record<string, Schema>;
}

/**
 * Returns an operation by its operationId.
 * @throws Error for an unknown operationId.
 */
export function describedOperation(operationId: string): DescribedOperation {
  const found = describedById.get(operationId);
  if (!found) throw new Error(`interface/openapi.yaml has no operation ${operationId}`);
  return found;
}

/** Returns all operations in the order of openapi.yaml. */
export const describedOperations = (): readonly PlacedOperation[] => described;

const described: readonly PlacedOperation[] = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation: { ...operation, parameters: (operation.parameters ?? []).map(resolve) },
  })),
);
const describedById = new Map(described.map(({ operation }) => [operation.operationId, operation]));

/** Returns the events that the service delivers, in openapi.yaml order. */
export const describedEvents = (): DescribedEvent[] => description.webhooks.delivery.post['x-events'];

/** Returns a body's schema and first example. A body with a file is a form. */
export function bodyOf({ content }: Content = {}): { schema?: Schema; example?: unknown; isForm?: true } {
  const form = content?.['multipart/form-data'];
  const body = form ?? content?.['application/json'];
  const example = Object.values(body?.examples ?? {})[0]?.value;
  return { schema: body?.schema, example, ...(form && { isForm: true }) };
}

const withoutEnvelope = (fields: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'code' && name !== 'message'));

/** Returns the name of the list in `data` that contains the records (interface/README.md#marks). */
export function recordsField(schema: Schema): string | undefined {
  const { data } = propertiesOf(schema);
  return data && resolve(data)['x-records'];
}

/** Returns the schema of one record inside the response's envelope (service.md#families). */
export function recordSchema(family: string, schema: Schema): Schema {
  const { data, ...others } = family === 'platform' ? propertiesOf(schema) : {};
  if (family === 'platform' && !data) return { type: 'object', properties: withoutEnvelope(others) };
  if (!data) return schema;
  const held = propertiesOf(data)[recordsField(schema) ?? ''];
  const list = resolve(held ?? data);
  return list.items ?? list.oneOf?.find(({ items }) => items)?.items ?? data;
}
