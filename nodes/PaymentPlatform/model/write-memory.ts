import type { IDataObject } from 'n8n-workflow';

import type { PlannedRequest, PartialFailure } from './types';
import type { Failure } from './failure';

/** Outcome of a write after earlier attempts. */
export type Remembered =
  | Finished
  /**
   * An earlier attempt sent the write, and the outcome is unknown. Tools have no `code`, because users can't resolve a
   * tool call.
   */
  | { outcome: 'unknown'; code?: string; witness?: EarlierTry }
  /** An earlier attempt sent the item with other content. */
  | { outcome: 'edited'; code: string; differs: string[]; finished?: Finished }
  /** The credential changed, so the node can't compare the request with the earlier request. */
  | { outcome: 'unrecognisable'; code?: string }
  /**
   * The execution began with another account. The node sends nothing until the user confirms the new account with the
   * code.
   */
  | { outcome: 'otherAccount'; code: string };

/**
 * Evidence of a write in n8n's database:
 * - `begun`: an attempt began, and its outcome is unknown.
 * - `underWay`: an identical tool call is in progress.
 * - `done`: an attempt finished, but n8n didn't store its result.
 * - `otherContent`: an item began at the same position, or an item that is missing now. This item may be its changed
 *   version.
 * - `sameContent`: an identical write began, possibly in another execution.
 * - `forgotten`: n8n may have removed the keys of the write.
 * - `keyBegun`: another execution began a write with the same deduplication key.
 */
export type EarlierTry = 'begun' | 'underWay' | 'done' | 'otherContent' | 'sameContent' | 'forgotten' | 'keyBegun';

/** Outcome of an attempt. `refused` means that the service didn't apply the write. */
export type WriteOutcome = 'done' | 'refused' | 'unknown';

/** Reason not to send a write: evidence in n8n's database, or a change of the account or the credential. */
export type Obstacle = EarlierTry | 'otherAccount' | 'otherCredential';

export interface Finished {
  outcome: 'done';
  records: IDataObject[];
  partialFailure?: PartialFailure;
  /** Number of attempts with an unknown outcome that the user chose to repeat. */
  openTries?: number;
  /** Names of secrets in the service's response. The node never stores secrets. */
  withoutSecrets?: string[];
  /** Whether the user reported that the service applied the write. The node then has no record from the service. */
  byWord?: boolean;
  /** Whether n8n's database is the only evidence of the write. The node then has no record from the service. */
  byDatabase?: boolean;
  ofOther?: boolean;
  inPart?: boolean;
}

/**
 * In-memory list of the node's own writes in an execution. The node records a write before it sends it, so the outcome
 * is unknown until the response arrives.
 */
export interface WriteMemory {
  /**
   * Returns the reason not to send the request, or `undefined`. Considers the user's decision to resolve the item or to
   * send it again.
   */
  recall(request: PlannedRequest): Remembered | undefined;
  /**
   * Call this function right before the node sends the request.
   * @returns a failure if the node must not send the request.
   */
  sending(request: PlannedRequest): Failure | undefined;
  /** @param omitted names of the secrets in the response that the records don't contain. */
  done(request: PlannedRequest, records: IDataObject[], partialFailure?: PartialFailure, omitted?: string[]): void;
  /** Records that the service didn't apply the attempt that `sending` recorded. */
  notApplied(request: PlannedRequest): void;
  /** Returns the number of the write's next attempt. */
  attempt(request: PlannedRequest): string;
  /**
   * Adds evidence from n8n's database.
   * @returns the reason not to send the request, or `undefined`.
   */
  witnessed(request: PlannedRequest, witness: Obstacle): Remembered | undefined;
  /** Returns the time of the first attempt without a response, in milliseconds since 1970, or `undefined`. */
  sentAt(request: PlannedRequest): number | undefined;
  /**
   * Blocks a write that the user chose to send again, because a record may belong to the earlier attempt.
   * @returns the reason not to send the write.
   */
  reopen?(request: PlannedRequest): Remembered | undefined;
  /**
   * Returns whether a person stated that the service didn't apply the other write with the request's key of Once per
   * Key. Missing for tools, because users can't resolve a tool call.
   */
  isKeyReleased?(request: PlannedRequest): boolean;
  /** Returns the number of the write's attempts with an unknown outcome. */
  openTries(request: PlannedRequest): number;
  /** Returns the amount that the write's latest attempt moved or may have moved, in cents. */
  moved(request: PlannedRequest): number;
  /**
   * Returns the earlier result of an item, even if its current request differs. Missing for tools, because tools have
   * no items.
   */
  standing?(item: number): Finished | { outcome: 'unknown' } | undefined;
  /**
   * Returns the result of identical calls that ran at the same time as the current call. Only tools have this function.
   */
  recallConcurrentCall?(request: PlannedRequest): Remembered | undefined;
  /** Ends the run. `complete` is true if all writes are done and n8n can't retry the run. */
  end(complete: boolean): void;
}

/** Returns whether n8n's database is the only evidence of the write. */
export const hasWitness = (known: Remembered): boolean =>
  known.outcome === 'done' ? known.byDatabase === true : known.outcome === 'unknown' && known.witness !== undefined;

/** Returns whether a record of the service could show the outcome of a write. */
export function isOpen(known: Remembered | undefined): boolean {
  if (!known) return true;
  if (known.outcome === 'done') return known.byDatabase === true;
  return known.outcome === 'unknown' && [undefined, 'begun', 'forgotten'].includes(known.witness);
}
