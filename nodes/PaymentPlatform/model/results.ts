import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import type { PartialFailure } from './types';
import type { Failure } from './failure';

/** `list` is set if the response is a list. `total` is the number of records at the service. */
export type RequestResult = { items: number[] } & (
  | ({ kind: 'done'; note?: string; list?: { total?: number } } & Done)
  | { kind: 'failed'; failure: Failure; remembered?: boolean }
  | { kind: 'notStarted'; reason?: string }
);

/** `binary`: file with the records, which belongs to the only output item. */
export type Done = {
  records: IDataObject[];
  binary?: IBinaryKeyData;
  partialFailure?: PartialFailure;
} & Provenance;

export interface Provenance {
  remembered?: boolean;
  /** Names of the response's secrets that the records don't contain. */
  withoutSecrets?: string[];
  /** Whether the user reported that the service applied the earlier attempt. */
  byWord?: boolean;
  /** Whether n8n's database is the only evidence of the write. */
  byDatabase?: boolean;
  openAttempts?: number;
  /** Describes the match, if a search at the service found the record. */
  found?: string;
  /** Whether the node found the record before sending, and sent nothing. */
  existed?: boolean;
}
