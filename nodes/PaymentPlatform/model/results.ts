import type { IDataObject } from 'n8n-workflow';

import type { PartialFailure } from './types';
import type { Failure } from './failure';

/** What became of one request, and so of its items. */
export type RequestResult = { items: number[] } & (
  | ({ kind: 'done'; note?: string } & Done)
  | { kind: 'failed'; failure: Failure; remembered?: boolean }
  /** `reason`: a sentence that says why, when it was not another item's failure or a person. */
  | { kind: 'notStarted'; reason?: string }
);

/** What a write came to. */
export type Done = { records: IDataObject[]; partialFailure?: PartialFailure } & Provenance;

/** Where the result of a write comes from, when not from the service's answer just now. */
export interface Provenance {
  /** An earlier try did it. */
  remembered?: boolean;
  /** Secrets that the earlier try's answer held. */
  withoutSecrets?: string[];
  /** A person said that the earlier try was applied. */
  byWord?: boolean;
  /** Only n8n's database says that the earlier try did it. */
  byJournal?: boolean;
  /** Earlier tries whose outcome nobody knows. */
  openTries?: number;
  /** What agreed, where the record was found at the service and not answered. */
  found?: string;
  /** Somebody had made it before. */
  existed?: boolean;
}
