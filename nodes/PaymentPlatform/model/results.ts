import type { IDataObject } from 'n8n-workflow';

import type { PartialFailure } from './types';
import type { Failure } from './failure';

/**
 * Outcome of a request. `list` is set if the response is a list. `total` is the total number of records at the service.
 */
export type RequestResult = { items: number[] } & (
  | ({ kind: 'done'; note?: string; list?: { total?: number } } & Done)
  | { kind: 'failed'; failure: Failure; remembered?: boolean }
  | { kind: 'notStarted'; reason?: string }
);

/** Result of a successful write. */
export type Done = { records: IDataObject[]; partialFailure?: PartialFailure } & Provenance;

/** Source of a write's result, and what the result lacks. */
export interface Provenance {
  remembered?: boolean;
  /** Names of the secrets in the service's response that the records don't contain. */
  withoutSecrets?: string[];
  /** Whether the user reported that the service applied the earlier attempt. */
  byWord?: boolean;
  /** Whether n8n's database is the only evidence of the write. */
  byDatabase?: boolean;
  /** Number of earlier attempts with an unknown outcome. */
  openTries?: number;
  /** Description of the match, if a search at the service found the record. */
  found?: string;
  /** Whether the search before sending found the record, so that the node didn't send the write. */
  existed?: boolean;
}
