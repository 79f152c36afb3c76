import type { components, operations } from '../../interface/types';

/** ID of an operation that clients call. */
export type OperationId = Exclude<keyof operations, 'deliverEvent'>;

/** Component schema by name, for example `Contact`. */
export type Part<Name extends keyof components['schemas']> = components['schemas'][Name];

export type Body<Id extends OperationId> = operations[Id] extends {
  requestBody?: { content: { 'application/json': infer Content } };
}
  ? Content
  : operations[Id] extends { requestBody?: { content: { 'multipart/form-data': infer Form } } }
    ? Form
    : undefined;

export type Path<Id extends OperationId> = operations[Id]['parameters'] extends { path: infer Parameters }
  ? Parameters
  : undefined;

export type Query<Id extends OperationId> = operations[Id]['parameters'] extends { query?: infer Parameters }
  ? Parameters
  : undefined;

export type Success<Id extends OperationId> = operations[Id]['responses'] extends {
  200: { content: { 'application/json': infer Content } };
}
  ? Content
  : never;
