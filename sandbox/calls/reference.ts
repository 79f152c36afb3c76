import { schemaCheck } from '../contract/validator';
import { familyOf } from '../core/envelopes';
import type { Call } from './call';
import type { Operation } from './operation';

/** An operation that the interface document mentions but doesn't describe, with the schemas of its request. */
export interface Reference<Path, Query, Body> extends Pick<Operation, 'operationId' | 'method' | 'path'> {
  schemas: { path: object; query?: object; body?: object };
  managesWebhooks?: boolean;
  apply(call: Call<Path, Query, Body>): object;
}

/** Creates an operation that isn't described in interface/openapi.yaml. */
export function referenceOperation<Path, Query = object, Body = object>(
  reference: Reference<Path, Query, Body>,
): Operation {
  const { operationId, method, path, schemas, managesWebhooks = false } = reference;
  const checkBody = schemaCheck(schemas.body ?? NOTHING, 'body');
  return {
    operationId,
    method,
    path,
    family: familyOf(path),
    checks: {
      path: schemaCheck(schemas.path, 'parameters'),
      query: schemaCheck(schemas.query ?? NOTHING, 'parameters'),
      body: (body) => checkBody(body ?? {}),
    },
    recordFields: [],
    managesWebhooks,
    // The schemas have already validated the call, so the cast is safe.
    apply: (call) => reference.apply(call as Call<Path, Query, Body>),
  };
}

/** Returns the schema of an object that allows only these properties. */
export function objectSchema(properties: object): object {
  return { type: 'object', properties, additionalProperties: false };
}

export const NOTHING = objectSchema({});

/** Query parameters of every list (service.md#lists). */
export const LIST_QUERY = objectSchema({
  filter: { type: 'array', items: { type: 'string' } },
  order_on: { type: 'string' },
  order_by: { type: 'string', enum: ['asc', 'desc'] },
  count: { type: 'integer', minimum: 1, maximum: 100 },
  page: { type: 'integer', minimum: 0 },
  merchant_id: { type: 'integer' },
});
