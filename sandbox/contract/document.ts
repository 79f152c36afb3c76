import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { familyOf, type Family } from '../core/envelopes';

const DOCUMENT_PATH = join(__dirname, '..', '..', 'interface', 'openapi.yaml');
const METHODS = ['get', 'post', 'put', 'delete', 'patch'] as const;

type Json = Record<string, unknown>;

export interface ContractParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  /** Pointer to the parameter's schema inside the document. */
  schemaPointer: string;
}

/** One operation of interface/openapi.yaml, with pointers to its schemas. */
export interface ContractOperation {
  operationId: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  path: string;
  family: Family;
  parameters: ContractParameter[];
  bodyPointer?: string;
  bodyRequired: boolean;
  responsePointer?: string;
}

/** The parsed interface/openapi.yaml: the one formal description that routes and checks derive from. */
export class InterfaceDocument {
  readonly operations: ContractOperation[];

  constructor(readonly root: Json = parse(readFileSync(DOCUMENT_PATH, 'utf8')) as Json) {
    this.operations = Object.entries(asObject(root.paths)).flatMap(([path, item]) =>
      METHODS.filter((method) => method in asObject(item)).map((method) =>
        this.readOperation(path, method, asObject(item)),
      ),
    );
  }

  /** The value a pointer such as `#/components/schemas/Contact` leads to, with references followed. */
  resolve(pointer: string): Json {
    return asObject(this.follow(pointer).value);
  }

  private follow(pointer: string): { pointer: string; value: unknown } {
    let value: unknown = this.root;
    for (const part of pointer.split('/').slice(1))
      value = (value as Json | undefined)?.[decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~')];
    const reference = (value as Json | undefined)?.$ref;
    return typeof reference === 'string' ? this.follow(reference) : { pointer, value };
  }

  private readOperation(path: string, method: (typeof METHODS)[number], item: Json): ContractOperation {
    const base = `#/paths/${escapePart(path)}`;
    const operation = asObject(item[method]);
    const body = operation.requestBody ? this.follow(`${base}/${method}/requestBody`) : undefined;
    const ok = asObject(operation.responses)['200'] ? this.follow(`${base}/${method}/responses/200`) : undefined;
    return {
      operationId: String(operation.operationId),
      method: method.toUpperCase() as ContractOperation['method'],
      path,
      family: familyOf(path),
      parameters: [
        ...this.readParameters(item.parameters, `${base}/parameters`),
        ...this.readParameters(operation.parameters, `${base}/${method}/parameters`),
      ],
      bodyPointer: body && `${body.pointer}/content/application~1json/schema`,
      bodyRequired: asObject(body?.value).required === true,
      responsePointer: ok && `${ok.pointer}/content/application~1json/schema`,
    };
  }

  private readParameters(list: unknown, pointer: string): ContractParameter[] {
    if (!Array.isArray(list)) return [];
    return list.map((_, index) => {
      const found = this.follow(`${pointer}/${index}`);
      const parameter = asObject(found.value);
      return {
        name: String(parameter.name),
        in: parameter.in as ContractParameter['in'],
        required: parameter.required === true,
        schemaPointer: `${found.pointer}/schema`,
      };
    });
  }

  /** Names of the fields of the records that a list operation returns: what filters and sorting may name. */
  recordFields(operationId: string): string[] {
    const operation = this.operations.find((candidate) => candidate.operationId === operationId);
    if (!operation?.responsePointer) return [];
    const data = this.propertiesOf(this.resolve(operation.responsePointer)).data;
    return data ? Object.keys(this.propertiesOf(asObject(data))) : [];
  }

  /** Properties of a schema, looking through references, combinations and arrays. */
  private propertiesOf(schema: Json): Json {
    const actual = typeof schema.$ref === 'string' ? this.resolve(schema.$ref) : schema;
    const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((key): unknown[] => {
      const part = actual[key];
      return Array.isArray(part) ? (part as unknown[]) : [];
    });
    const inner = actual.items ? [actual.items] : [];
    return Object.assign(
      {},
      ...[...parts, ...inner].map((part) => this.propertiesOf(asObject(part))),
      actual.properties,
    ) as Json;
  }
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function escapePart(part: string): string {
  return encodeURIComponent(part.replace(/~/g, '~0').replace(/\//g, '~1'));
}
