import { escapePart, follow, readDocument, resolve } from '../../interface/document';
import { familyOf, type Family } from '../core/envelopes';
import type { FormField } from './form';

const METHODS = ['get', 'post', 'put', 'delete', 'patch'] as const;

type Json = Record<string, unknown>;

export interface ContractParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schemaPointer: string;
}

/** Operation in openapi.yaml with JSON pointers to its schemas. */
export interface ContractOperation {
  operationId: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  path: string;
  family: Family;
  parameters: ContractParameter[];
  bodyPointer?: string;
  form?: Record<string, FormField>;
  bodyRequired: boolean;
  responsePointer?: string;
  managesWebhooks: boolean;
}

/** Parsed openapi.yaml, from which the sandbox derives its routes and validators. */
export class InterfaceDocument {
  readonly operations: ContractOperation[];

  constructor(readonly root: Json = asObject(readDocument())) {
    this.operations = Object.entries(asObject(root.paths)).flatMap(([path, item]) =>
      METHODS.filter((method) => method in asObject(item)).map((method) =>
        this.readOperation(path, method, asObject(item)),
      ),
    );
  }

  resolve(pointer: string): Json {
    return asObject(follow(this.root, pointer).value);
  }

  private readOperation(path: string, method: (typeof METHODS)[number], item: Json): ContractOperation {
    const base = `#/paths/${escapePart(path)}`;
    const operation = asObject(item[method]);
    const body = operation.requestBody ? follow(this.root, `${base}/${method}/requestBody`) : undefined;
    const ok = asObject(operation.responses)['200'] ? follow(this.root, `${base}/${method}/responses/200`) : undefined;
    const isForm = 'multipart/form-data' in asObject(asObject(body?.value).content);
    return {
      operationId: String(operation.operationId),
      method: method.toUpperCase() as ContractOperation['method'],
      path,
      family: familyOf(path),
      parameters: [
        ...this.readParameters(item.parameters, `${base}/parameters`),
        ...this.readParameters(operation.parameters, `${base}/${method}/parameters`),
      ],
      bodyPointer: body && `${body.pointer}/content/${isForm ? 'multipart~1form-data' : 'application~1json'}/schema`,
      ...(body && isForm && { form: this.formFields(`${body.pointer}/content/multipart~1form-data/schema`) }),
      bodyRequired: asObject(body?.value).required === true,
      responsePointer: ok && `${ok.pointer}/content/application~1json/schema`,
      managesWebhooks: operation['x-manages-webhooks'] === true,
    };
  }

  private formFields(pointer: string): Record<string, FormField> {
    const fields = Object.entries(this.propertiesOf(this.resolve(pointer)));
    return Object.fromEntries(
      fields.map(([name, field]): [string, FormField] => {
        const { contentSchema, ...rest } = asObject(field);
        const schema = contentSchema === undefined ? undefined : resolve(this.root, asObject(contentSchema));
        return [name, { ...rest, ...(schema && { contentSchema: schema }) }];
      }),
    );
  }

  private readParameters(list: unknown, pointer: string): ContractParameter[] {
    if (!Array.isArray(list)) return [];
    return list.map((_, index) => {
      const found = follow(this.root, `${pointer}/${index}`);
      const parameter = asObject(found.value);
      return {
        name: String(parameter.name),
        in: parameter.in as ContractParameter['in'],
        required: parameter.required === true,
        schemaPointer: `${found.pointer}/schema`,
      };
    });
  }

  /** Returns the fields that a list operation can filter and sort by. */
  recordFields(operationId: string): string[] {
    const operation = this.operations.find((candidate) => candidate.operationId === operationId);
    if (!operation?.responsePointer) return [];
    const data = this.propertiesOf(this.resolve(operation.responsePointer)).data;
    return data ? Object.keys(this.propertiesOf(asObject(data))) : [];
  }

  private propertiesOf(schema: Json): Json {
    const actual = resolve(this.root, schema);
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
