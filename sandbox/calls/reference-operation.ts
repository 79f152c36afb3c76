import type { Environment } from '../state/environment';

/** A request that the schemas of its operation have accepted; texts of path and query are already coerced. */
export interface ReferenceCall<Path, Query = object, Body = object> {
  environment: Environment;
  path: Path;
  query: Query;
  body: Body;
}

/**
 * An operation that the interface document refers to without showing it. What it may be sent is described here, beside
 * interface/openapi.yaml, which holds the document's own operations only.
 */
export interface ReferenceOperation<Path = never, Query = never, Body = never> {
  operationId: string;
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  path: string;
  schemas: { path: object; query: object; body: object };
  /** Returns the whole body of the successful answer; throws a refusal before it has changed anything. */
  apply(call: ReferenceCall<Path, Query, Body>): Record<string, unknown>;
}

/** The schema of an object that holds these properties and nothing else. */
export function objectSchema(properties: object): object {
  return { type: 'object', properties, additionalProperties: false };
}

export const NOTHING = objectSchema({});
