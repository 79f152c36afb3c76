import type { components, operations } from '../../interface/types';

/** Operations that a client calls. Webhook deliveries are excluded because the service sends them. */
export type OperationId = Exclude<keyof operations, 'deliverEvent'>;

/** A schema shared by requests and responses, such as `Contact`. */
export type Part<Name extends keyof components['schemas']> = components['schemas'][Name];

/** The JSON or form body of an operation as interface/openapi.yaml describes it. */
export type Body<Id extends OperationId> = operations[Id] extends {
  requestBody?: { content: { 'application/json': infer Content } };
}
  ? Content
  : operations[Id] extends { requestBody?: { content: { 'multipart/form-data': infer Form } } }
    ? Form
    : undefined;

/** The path parameters of an operation. */
export type Path<Id extends OperationId> = operations[Id]['parameters'] extends { path: infer Parameters }
  ? Parameters
  : undefined;

/** The query parameters of an operation. */
export type Query<Id extends OperationId> = operations[Id]['parameters'] extends { query?: infer Parameters }
  ? Parameters
  : undefined;

/** The body of an operation's successful response. */
export type Success<Id extends OperationId> = operations[Id]['responses'] extends {
  200: { content: { 'application/json': infer Content } };
}
  ? Content
  : never;

/** The `data` of a platform operation's successful response. */
export type Data<Id extends OperationId> = Success<Id> extends { data?: infer Content } ? NonNullable<Content> : never;

/** One record of a list operation. */
export type ListRecord<Id extends OperationId> = Exclude<
  Data<Id> extends infer Content ? (Content extends ReadonlyArray<infer Item> ? Item : Content) : never,
  undefined
>;
