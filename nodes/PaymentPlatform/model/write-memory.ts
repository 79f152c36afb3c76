import type { IDataObject } from 'n8n-workflow';

import type { PlannedRequest, PartialFailure } from './types';
import type { Failure } from './failure';

/** State of a write after earlier attempts. */
export type Remembered =
  | Finished
  /**
   * An earlier attempt sent the write, and the outcome is unknown. In tools, `code` is missing, because users can't
   * release a call.
   */
  | { outcome: 'unknown'; code?: string; witness?: EarlierTry }
  /** An earlier attempt sent the item with other content. `finished` contains the result of that attempt, if known. */
  | { outcome: 'edited'; code: string; differs: string[]; finished?: Finished }
  /** The credential changed, so the node can't compare the request with the earlier request. */
  | { outcome: 'unrecognisable'; code?: string }
  /**
   * The execution began with another account. The node sends nothing until the user confirms the new account with the
   * code.
   */
  | { outcome: 'otherAccount'; code: string };

/**
 * State of a write in n8n's database, if the execution's memory doesn't contain the write (database-keys.ts):
 * - `begun`: an attempt began, and its outcome is unknown.
 * - `underWay`: an equal call of a tool is in progress.
 * - `done`: an attempt finished, but n8n didn't store its result.
 * - `otherContent`: another write began at the same position.
 * - `sameContent`: an equal write began, possibly in another execution.
 * - `forgotten`: the keys of the write may have been removed.
 * - `keyBegun`: another execution began a write with the same key of Once per Key.
 */
export type EarlierTry = 'begun' | 'underWay' | 'done' | 'otherContent' | 'sameContent' | 'forgotten' | 'keyBegun';

/** Outcome of an attempt. `refused` means that the service didn't apply the write. */
export type WriteOutcome = 'done' | 'refused' | 'unknown';

/** Reason not to send a write: its state in n8n's database, or a change of the account or the credential. */
export type Obstacle = EarlierTry | 'otherAccount' | 'otherCredential';

export interface Finished {
  outcome: 'done';
  records: IDataObject[];
  partialFailure?: PartialFailure;
  /** Number of attempts with an unknown outcome after which the user chose to send the write again. */
  openTries?: number;
  /** Names of the secrets in the service's response, which the node never stores. */
  withoutSecrets?: string[];
  /** Whether the user reported that the service applied the write. The node then has no record from the service. */
  byWord?: boolean;
  /** Whether n8n's database is the only evidence of the write. The node then has no record from the service. */
  byDatabase?: boolean;
  /** Whether the records belong to another item that contains the same object (`PlannedRequest.isSentOnce`). */
  ofOther?: boolean;
  /** Whether the item has later steps. */
  inPart?: boolean;
}

/**
 * Memory of the node's own writes in an execution. The node records a write before it sends the write. If n8n stops
 * before the response arrives, the recorded write therefore has an unknown outcome.
 */
export interface WriteMemory {
  /**
   * Returns the reason not to send the request, or `undefined` if the node can send the request. Takes the user's
   * resolution into account (option Resolve Items, or Send Again).
   */
  recall(request: PlannedRequest): Remembered | undefined;
  /**
   * Records the request. Call this function right before the node sends the request.
   * @returns a failure if the node must not send the request.
   */
  sending(request: PlannedRequest): Failure | undefined;
  done(request: PlannedRequest, records: IDataObject[], partialFailure?: PartialFailure): void;
  /** Records that the service didn't apply the attempt that `sending` recorded. */
  notApplied(request: PlannedRequest): void;
  /**
   * Returns the number of the write's next attempt. The number includes attempts after which the user chose to send the
   * write again.
   */
  attempt(request: PlannedRequest): string;
  /**
   * Adds the state of the request in n8n's database to the memory. Takes the user's resolution into account.
   * @returns the reason not to send the request, or `undefined` if the node can send the request.
   */
  witnessed(request: PlannedRequest, witness: Obstacle): Remembered | undefined;
  /**
   * Returns the time of the first attempt without a response, in milliseconds since 1970. Includes an attempt that the
   * user reported as not applied. Returns `undefined` if every attempt has a response.
   */
  sentAt(request: PlannedRequest): number | undefined;
  /**
   * Blocks a write that the user chose to send again, because a record may belong to the earlier attempt.
   * @returns the reason not to send the write.
   */
  reopen?(request: PlannedRequest): Remembered | undefined;
  /** Returns the number of the write's attempts with an unknown outcome. */
  openTries(request: PlannedRequest): number;
  /** Returns the amount that the write's latest attempt moved or may have moved, in cents. */
  moved(request: PlannedRequest): number;
  /**
   * Returns the earlier result of an item, even if the item's current request differs. The memory of tools lacks this
   * function, because tools have no items.
   */
  standing?(item: number): Finished | { outcome: 'unknown' } | undefined;
  /**
   * Returns the result of equal calls that ran at the same time as the current call. Only tools have this function,
   * because equal items of a workflow never run at the same time.
   */
  meanwhile?(request: PlannedRequest): Remembered | undefined;
  /** Ends the run. `complete` is true if all writes are done and n8n can't retry the run. */
  end(complete: boolean): void;
}

/** Returns whether n8n's database is the only evidence of the write. The time of the attempt is then unknown. */
export const hasWitness = (known: Remembered): boolean =>
  known.outcome === 'done' ? known.byDatabase === true : known.outcome === 'unknown' && known.witness !== undefined;

/**
 * Returns whether a record of the service could show the outcome of a write. The node can't search after a change of
 * the content or the credential, and needs no search if the result is known.
 */
export function isOpen(known: Remembered | undefined): boolean {
  if (!known) return true;
  if (known.outcome === 'done') return known.byDatabase === true;
  return known.outcome === 'unknown' && [undefined, 'begun', 'forgotten'].includes(known.witness);
}
