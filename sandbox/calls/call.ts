import type { Body, OperationId, Path, Query } from '../contract/types';
import type { Environment } from '../state/environment';

/** A request that the checks of its operation have accepted: the texts of path and query have their types already. */
export interface Call<Path = unknown, Query = unknown, Body = unknown> {
  environment: Environment;
  path: Path;
  query: Query;
  body: Body;
  /** Names of the fields that a list's filters and sorting may use. */
  recordFields: readonly string[];
}

/**
 * Applies one operation of the interface description and returns the whole body of its successful answer. It runs in one
 * go (no await), so nothing can come between its checks and its changes; it throws a refusal before it has changed
 * anything.
 */
export type Handler<Id extends OperationId> = (call: Call<Path<Id>, Query<Id>, Body<Id>>) => object;
