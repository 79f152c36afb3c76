import type { Body, OperationId, Path, Query } from '../contract/types';
import type { Environment } from '../state/environment';

/** What a handler gets: a request that the interface description has accepted. */
export interface Call<Id extends OperationId> {
  environment: Environment;
  body: Body<Id>;
  path: Path<Id>;
  query: Query<Id>;
  /** Names of the fields that a list's filters and sorting may use. */
  recordFields: readonly string[];
}

/**
 * Applies one operation and returns the whole body of its successful answer. It runs in one go (no await), so nothing
 * can come between its checks and its changes; it throws a refusal before it has changed anything.
 */
export type Handler<Id extends OperationId> = (call: Call<Id>) => object;
