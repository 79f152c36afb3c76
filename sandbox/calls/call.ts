import type { Body, OperationId, Path, Query } from '../contract/types';
import type { Environment } from '../state/environment';

/** Request that passed the checks of its operation. Path and query values have the types of the interface. */
export interface Call<Path = unknown, Query = unknown, Body = unknown> {
  environment: Environment;
  path: Path;
  query: Query;
  body: Body;
  /** Field names that a list accepts for filters and sorting. */
  recordFields: readonly string[];
}

/**
 * Applies one operation of the interface and returns the body of the successful response. A handler is synchronous, so
 * that no other request runs between its checks and changes. A handler throws every refusal before its first change.
 */
export type Handler<Id extends OperationId> = (call: Call<Path<Id>, Query<Id>, Body<Id>>) => object;
