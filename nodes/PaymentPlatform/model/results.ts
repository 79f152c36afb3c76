import type { IDataObject } from 'n8n-workflow';

import type { PartialFailure } from './types';
import type { Failure } from './failure';

/** Outcome of a request and of its items. `list`: the records are a list, of `total` records if the service counts them. */
export type RequestResult = { items: number[] } & (
  | ({ kind: 'done'; note?: string; list?: { total?: number } } & Done)
  | { kind: 'failed'; failure: Failure; remembered?: boolean }
  /** `reason`: a sentence about why the run stopped. Missing if another item failed or the user stopped the run. */
  | { kind: 'notStarted'; reason?: string }
);

/** Result of a successful write. */
export type Done = { records: IDataObject[]; partialFailure?: PartialFailure } & Provenance;

/** Source of a write's result, if it isn't the service's response in this attempt. */
export interface Provenance {
  /** Whether an earlier attempt completed the write. */
  remembered?: boolean;
  /** Names of the secrets in the earlier attempt's response. */
  withoutSecrets?: string[];
  /** Whether the user stated that the earlier attempt was applied. */
  byWord?: boolean;
  /** Whether n8n's database is the only evidence that an earlier attempt completed the write. */
  byDatabase?: boolean;
  /** Number of earlier attempts with an unknown outcome. */
  openTries?: number;
  /** Description of the match, if the record was found at the service after a lost response. */
  found?: string;
  /** Whether the record existed before this execution sent anything. */
  existed?: boolean;
}
