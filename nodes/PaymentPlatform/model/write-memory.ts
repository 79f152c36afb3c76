import type { IDataObject } from 'n8n-workflow';

import type { PlannedRequest, PartialFailure } from './types';
import type { Failure } from './failure';

/**
 * Outcome of a write after earlier attempts. `sent` contains the IDs, references and amounts of the attempt, by request
 * field.
 */
export type Remembered =
  | Finished
  /** The outcome is unknown. Tools have no `code`, because users can't resolve their calls. */
  | { outcome: 'unknown'; code?: string; evidence?: Evidence; sent?: IDataObject }
  /** An earlier attempt sent the item with other content. */
  | { outcome: 'edited'; code: string; differs: string[]; finished?: Finished; sent?: IDataObject }
  /** The credential changed, so the node can't compare the requests. */
  | { outcome: 'unrecognisable'; code?: string }
  /**
   * The execution began with another account. The node sends nothing until the user confirms the new one with the code.
   */
  | { outcome: 'otherAccount'; code: string };

/**
 * Evidence of a write in n8n's database:
 * - `begun`: an attempt began, and its outcome is unknown.
 * - `otherValues`: the same, but the attempt sent another payment (`Digests.payment`), or a person edited the item later.
 * - `underWay`: another attempt, or an identical tool call, is in progress.
 * - `done`: an attempt finished, but n8n didn't store its result.
 * - `doneOther`: the same, but the attempt sent another payment.
 * - `otherContent`: an item began at the position, or an item that is missing now. This item may be its changed
 * version.
 * - `sameContent`: an identical write began, possibly in another execution.
 * - `forgotten`: n8n may have removed the write's keys.
 * - `keyBegun`: another execution began a write with the same deduplication key.
 */
export type Evidence =
  | 'begun'
  | 'otherValues'
  | 'underWay'
  | 'done'
  | 'doneOther'
  | 'otherContent'
  | 'sameContent'
  | 'forgotten'
  | 'keyBegun';

/** Outcome of an attempt. `refused` means that the service didn't apply the write. */
export type WriteOutcome = 'done' | 'refused' | 'unknown';

/** Reason not to send a write: evidence in n8n's database, or a change of the account or the credential. */
export type Obstacle = Evidence | 'otherAccount' | 'otherCredential';

export interface Finished {
  outcome: 'done';
  records: IDataObject[];
  partialFailure?: PartialFailure;
  /** Number of attempts with an unknown outcome that the user chose to repeat. */
  openAttempts?: number;
  /** Names of the response's secrets, which the node never stores. */
  withoutSecrets?: string[];
  /** Whether the user reported that the service applied the write, so that no record exists. */
  byWord?: boolean;
  /** Whether n8n's database is the only evidence, so that no record exists. */
  byDatabase?: boolean;
  /** Whether the attempt sent other values than the item has now, so that no look-up can find the record. */
  isOtherPayment?: boolean;
  ofOther?: boolean;
  inPart?: boolean;
}

/**
 * In-memory list of the node's own writes in an execution. The node records a write before it sends it, so the outcome
 * is unknown until the response.
 */
export interface WriteMemory {
  /** Returns the reason not to send the request, or `undefined`. Considers the user's decision about the item. */
  recall(request: PlannedRequest): Remembered | undefined;
  /**
   * Must run right before the node sends the request.
   * @returns a failure if the node must not send it.
   */
  sending(request: PlannedRequest): Failure | undefined;
  /** @param omitted names of the secrets missing from the records. */
  done(request: PlannedRequest, records: IDataObject[], partialFailure?: PartialFailure, omitted?: string[]): void;
  /** Records that the service didn't apply the attempt that `sending` recorded. */
  notApplied(request: PlannedRequest): void;
  /**
   * Returns the number of the write's next attempt, such as `0.0`. It ends in `ELSEWHERE` (once/write-keys.ts) if
   * another item began at the write's position.
   */
  attempt(request: PlannedRequest): string;
  /**
   * Adds evidence from n8n's database.
   * @returns the reason not to send the request, or `undefined`.
   */
  addEvidence(request: PlannedRequest, evidence: Obstacle): Remembered | undefined;
  /** Returns the time of the first attempt without a response, in Unix milliseconds. */
  sentAt(request: PlannedRequest): number | undefined;
  /**
   * Blocks a write that the user chose to send again, because a record may belong to the earlier attempt.
   * @returns the reason not to send it.
   */
  reopen?(request: PlannedRequest): Remembered | undefined;
  openAttempts(request: PlannedRequest): number;
  /** Cents that the execution moved or may have moved. */
  readonly movedCents: number;
  /** Returns the cents that the latest attempt moved or may have moved. */
  moved(request: PlannedRequest): number;
  /** Returns an item's earlier result, even if its request differs. Missing for tools, which have no items. */
  standing?(item: number): Finished | { outcome: 'unknown' } | undefined;
  /** Returns the result of identical simultaneous tool calls. */
  recallConcurrentCall?(request: PlannedRequest): Remembered | undefined;
  /** Returns whether a code of Resolve Items resolved an attempt of this execution. Missing for tools. */
  hasResolved?(code: string): boolean;
  /** Ends the run. `complete` is true if all writes are done and n8n can't retry the run. */
  end(complete: boolean): void;
}

/** Returns whether n8n's database is the only evidence. */
export const hasEvidence = (known: Remembered): boolean =>
  known.outcome === 'done' ? known.byDatabase === true : known.outcome === 'unknown' && known.evidence !== undefined;

/** A record of the service could show the outcome. */
export function isOpen(known: Remembered | undefined): boolean {
  if (!known) return true;
  if (known.outcome === 'done') return known.byDatabase === true && known.isOtherPayment !== true;
  return known.outcome === 'unknown' && [undefined, 'begun', 'forgotten'].includes(known.evidence);
}
