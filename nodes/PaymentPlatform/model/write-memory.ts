import type { IDataObject } from 'n8n-workflow';

import type { PlannedRequest, PartialFailure } from './types';
import type { Failure } from './failure';

/** State of a write after earlier attempts. */
export type Remembered =
  | Finished
  /** The write was sent, but its outcome is unknown. Calls of a tool have no codes to release them. */
  | { outcome: 'unknown'; code?: string; witness?: EarlierTry }
  /** An earlier attempt sent this item with other content. `finished` contains its result if it is known. */
  | { outcome: 'edited'; code: string; differs: string[]; finished?: Finished }
  /** The credential changed, so the node can't tell whether the request is the same. */
  | { outcome: 'unrecognisable'; code?: string }
  /**
   * The execution began with another account. The node sends nothing until the user confirms the new account by the
   * code.
   */
  | { outcome: 'otherAccount'; code: string };

/**
 * State of a write in n8n's database, if the execution's memory does not contain the write (database-keys.ts). `begun`:
 * the write started with an unknown outcome. `done`: it finished, but its result wasn't stored. `otherContent`: another
 * write began at its place. `sameContent`: an equal write began, possibly in another execution. `forgotten`: its keys
 * may have been removed. `keyBegun`: another execution began the same key of Once per Key. `underWay`: an equal call of
 * a tool is running now.
 */
export type EarlierTry = 'begun' | 'underWay' | 'done' | 'otherContent' | 'sameContent' | 'forgotten' | 'keyBegun';

/** Outcome of an attempt of a write. `refused`: it was not applied. */
export type WriteOutcome = 'done' | 'refused' | 'unknown';

/** Reason not to send a write: the state of the write in n8n's database, or a change of the account or credential. */
export type Obstacle = EarlierTry | 'otherAccount' | 'otherCredential';

export interface Finished {
  outcome: 'done';
  records: IDataObject[];
  partialFailure?: PartialFailure;
  /** Number of earlier attempts with an unknown outcome after which the user had the write sent again. */
  openTries?: number;
  /** Secrets in the service's response, which are never stored. */
  withoutSecrets?: string[];
  /** Whether the user stated that the write was applied. The service's record is then unknown. */
  byWord?: boolean;
  /** Whether n8n's database is the only evidence. The service's record is then unknown. */
  byDatabase?: boolean;
  /** Whether the records are those of another item, which contains the same object (PlannedRequest.isSentOnce). */
  ofOther?: boolean;
  /** Whether later steps of the same item follow. */
  inPart?: boolean;
}

/**
 * Record of the node's own writes in an execution. A write is recorded before it is sent, so that an
 * interrupted write has an unknown outcome and is not treated as unsent.
 */
export interface WriteMemory {
  /**
   * Returns the reason not to send the request, after applying the user's resolution (option Resolve Items, or Send
   * Again). Returns `undefined` if the request can be sent.
   */
  recall(request: PlannedRequest): Remembered | undefined;
  /**
   * Records the request. Call this function right before the request is sent.
   * @returns the failure if the request must not be sent after all.
   */
  sending(request: PlannedRequest): Failure | undefined;
  done(request: PlannedRequest, records: IDataObject[], partialFailure?: PartialFailure): void;
  /** Records that the attempt that `sending` recorded was not applied. */
  notApplied(request: PlannedRequest): void;
  /** Returns the number of the write's next attempt, including attempts that the user had sent again. */
  attempt(request: PlannedRequest): string;
  /**
   * Adds the state of the request in n8n's database to the memory.
   * @returns the reason not to send the request, after applying the user's resolution, or `undefined` if it can be
   * sent.
   */
  witnessed(request: PlannedRequest, witness: Obstacle): Remembered | undefined;
  /**
   * Returns when the first attempt without a response was sent, in milliseconds since 1970, even if the user stated
   * that it was not applied. Returns `undefined` if there is none.
   */
  sentAt(request: PlannedRequest): number | undefined;
  /**
   * Blocks a write that the user wanted to send again, because a record can belong to its earlier attempt.
   * @returns the reason not to send it.
   */
  reopen?(request: PlannedRequest): Remembered | undefined;
  /** Returns the number of attempts of the write with an unknown outcome. */
  openTries(request: PlannedRequest): number;
  /** Returns the amount that the latest attempt of the write moved or may have moved, in cents. */
  moved(request: PlannedRequest): number;
  /**
   * Returns the earlier result of an item, regardless of its current request. Tools have no items, so they lack this
   * function.
   */
  standing?(item: number): Finished | { outcome: 'unknown' } | undefined;
  /**
   * Returns the result of equal calls that ran while this one was in progress. Items never run at the same time as
   * equal items, so their memory lacks this function.
   */
  meanwhile?(request: PlannedRequest): Remembered | undefined;
  /** Ends the run. `complete` is true if everything is done and n8n can't retry the run. */
  end(complete: boolean): void;
}

/** Returns whether n8n's database is the only evidence of the write. The time of sending is then unknown. */
export const hasWitness = (known: Remembered): boolean =>
  known.outcome === 'done' ? known.byDatabase === true : known.outcome === 'unknown' && known.witness !== undefined;

/**
 * Returns whether a record of the service could show the outcome. The node can't search for a write with other content
 * or another credential, and needs no search for a write with a known result.
 */
export function isOpen(known: Remembered | undefined): boolean {
  if (!known) return true;
  if (known.outcome === 'done') return known.byDatabase === true;
  return known.outcome === 'unknown' && [undefined, 'begun', 'forgotten'].includes(known.witness);
}
