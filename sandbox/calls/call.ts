import type { Body, OperationId, Path, Query, Success } from '../contract/types';
import type { Environment } from '../state/environment';

/** Validated request with converted path and query values. */
export interface Call<Path = unknown, Query = unknown, Body = unknown> {
  environment: Environment;
  path: Path;
  query: Query;
  body: Body;
  /** Fields that a list can filter and sort by. */
  recordFields: readonly string[];
}

/**
 * Applies an operation synchronously, so that requests can't interleave. Throws a refusal before any change, except a
 * declined transaction.
 * @returns the response body.
 */
export type Handler<Id extends OperationId> = (call: Call<Path<Id>, Query<Id>, Body<Id>>) => Success<Id>;
