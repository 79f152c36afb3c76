import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';
import { parse } from 'yaml';

import type { Operation } from '../../nodes/PaymentPlatform/pipeline/types';

/** The parts of a schema of interface/openapi.yaml that the generated artefacts use. */
export interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  'x-max-length'?: number;
  'x-max-digits'?: number;
  'x-decimals'?: number;
  'x-default'?: unknown;
  'x-known-values'?: Record<string, unknown>;
  'x-secret'?: boolean;
  'x-section'?: string;
  'x-source'?: 'document' | 'reference';
  'x-constraints-source'?: 'document' | 'reference';
  'x-required-by-reference'?: boolean;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
  example?: unknown;
  'x-source'?: Schema['x-source'];
  'x-constraints-source'?: Schema['x-constraints-source'];
}

interface Content {
  content: { 'application/json': { schema: Schema; examples?: Record<string, { value: IDataObject }> } };
}

export interface DescribedOperation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
  'x-section': string;
  'x-source': Schema['x-source'];
}

interface Document {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: Record<string, Record<string, unknown>>;
}

/** The repository's root, from which all artefacts are named. */
export const root = join(__dirname, '../..');

const document = parse(readFileSync(join(root, 'interface/openapi.yaml'), 'utf8')) as Document;

/** What a reference stands for, with what stands beside the reference added to it; anything else as it is. */
export function resolve<T extends { $ref?: string }>(value: T): T {
  if (value.$ref === undefined) return value;
  const { $ref, ...beside } = value;
  const [, , kind = '', name = ''] = $ref.split('/');
  const target = document.components[kind]?.[name] as T | undefined;
  if (!target) throw new Error(`interface/openapi.yaml has no ${$ref}`);
  return { ...resolve(target), ...beside } as T;
}

/** A schema with its references followed and its `allOf` parts joined into one. */
export function flatten(schema: Schema): Schema {
  const { allOf, ...own } = resolve(schema);
  if (!allOf) return own;
  // Conditions (`if`) have no properties of their own and add nothing here.
  const parts = allOf.map(flatten);
  return {
    ...Object.assign({}, ...parts, own),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), own.properties) as Schema['properties'],
    required: [...parts, own].flatMap(({ required = [] }) => required),
  } as Schema;
}

/** What the interface says about a declared operation; `undefined` where the person chooses the request. */
export function describedOperation({ request, shape }: Operation): DescribedOperation | undefined {
  return shape ? undefined : document.paths[request.path]?.[request.method.toLowerCase()];
}

/** The fields of an operation by place: path and query parameters, and the body's schema. */
export function requestSchemas(operation: Operation): Record<'path' | 'query' | 'body', Schema> {
  const described = describedOperation(operation);
  const section = described?.['x-section'];
  const placed = (place: Parameter['in']): Schema => {
    const parameters = (described?.parameters ?? []).map(resolve).filter((parameter) => parameter.in === place);
    return {
      'x-section': section,
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
      properties: Object.fromEntries(
        parameters.map((parameter) => [
          parameter.name,
          {
            ...resolve(parameter.schema),
            'x-source': parameter['x-source'],
            'x-constraints-source': parameter['x-constraints-source'],
          },
        ]),
      ),
    };
  };
  const body = described?.requestBody?.content['application/json'].schema;
  return { path: placed('path'), query: placed('query'), body: body ? flatten(body) : {} };
}
