import type { Body, OperationId, Path, Query } from '../contract/types';
import type { Environment } from '../state/environment';

/** A request that passed the checks of its operation. Path and query values are already converted to their types. */
export interface Call<Path = unknown, Query = unknown, Body = unknown> {
  environment: Environment;
  path: Path;
  query: Query;
  body: Body;
  /** Names of the fields that a list can be filtered and sorted by. */
  recordFields: readonly string[];
}

/**
 * Applies one operation of the interface description and returns the body of the successful response. A handler is
 * synchronous, so no other request can run between its checks and its changes. It throws every refusal before its first
 * change.
 */
export type Handler<Id extends OperationId> = (call: Call<Path<Id>, Query<Id>, Body<Id>>) => object;
