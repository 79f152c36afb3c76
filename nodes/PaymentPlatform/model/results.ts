import type { IDataObject } from 'n8n-workflow';

import type { PartialFailure } from './types';
import type { Failure } from './failure';

/**
 * Outcome of a request and its items. `list` is set if the response is a list. `total` is the total number of records,
 * if the service reports the number.
 */
export type RequestResult = { items: number[] } & (
  | ({ kind: 'done'; note?: string; list?: { total?: number } } & Done)
  | { kind: 'failed'; failure: Failure; remembered?: boolean }
  /** `reason`: message about the stopped run. Missing if another item failed or the user stopped the run. */
  | { kind: 'notStarted'; reason?: string }
);

/** Result of a successful write. */
export type Done = { records: IDataObject[]; partialFailure?: PartialFailure } & Provenance;

/** Source of a write's result, if the result isn't the service's response to the current attempt. */
export interface Provenance {
  /** Whether an earlier attempt completed the write. */
  remembered?: boolean;
  /** Names of the secrets in the response to the earlier attempt. */
  withoutSecrets?: string[];
  /** Whether the user reported that the service applied the earlier attempt. */
  byWord?: boolean;
  /** Whether n8n's database is the only evidence that an earlier attempt completed the write. */
  byDatabase?: boolean;
  /** Number of earlier attempts with an unknown outcome. */
  openTries?: number;
  /** Description of the match, if the node found the record at the service after a lost response. */
  found?: string;
  /** Whether the record existed before this execution sent anything. */
  existed?: boolean;
}
