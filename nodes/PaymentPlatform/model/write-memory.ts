import type { IDataObject } from 'n8n-workflow';

import { isList, isObject, type DataValue } from '../shared/objects';
import type { PlannedRequest, PartialFailure } from './types';
import type { Failure } from './failure';
import { UNMASKED_SECRETS } from '../wire/marks';

/** What earlier tries know about a write. */
export type Remembered =
  | Finished
  /** It was sent, and nobody knows whether it was applied. A tool's calls have no codes by which a person releases them. */
  | { outcome: 'unknown'; code?: string; witness?: EarlierTry }
  /** An earlier try sent this item with other content; `finished` holds what it did, where that is known. */
  | { outcome: 'edited'; code: string; differs: string[]; finished?: Finished }
  /** The credential changed since, so nobody can tell whether it is the same request. */
  | { outcome: 'unrecognisable'; code?: string }
  /** The execution began with another account. Nothing is sent until a person confirms this one by the code. */
  | { outcome: 'otherAccount'; code: string };

/**
 * What n8n's database knows of a write that the run's memory does not know (journal.ts): `begun` and nobody knows what
 * became of it, `done` without its result, an item of `otherContent` at its place, one of the `sameContent` in an execution
 * that may be another one, or that its keys may be `forgotten`. With Once per Key another execution may have begun the same
 * key (`keyBegun`). A tool's equal call may be `underWay` at this moment.
 */
export type EarlierTry = 'begun' | 'underWay' | 'done' | 'otherContent' | 'sameContent' | 'forgotten' | 'keyBegun';

/** What stands in the way of a write: what the journal knows of it, or that the execution began with another account. */
export type Obstacle = EarlierTry | 'otherAccount' | 'otherCredential';

export interface Finished {
  outcome: 'done';
  records: IDataObject[];
  partialFailure?: PartialFailure;
  /** Earlier tries of unknown outcome that a person had sent again. */
  openTries?: number;
  /** Secrets that the service gave with the result, which are never kept. */
  withoutSecrets?: string[];
  /** Whether a person said so; the service's record is not known then. */
  byWord?: boolean;
  /** Whether only n8n's database says so; the service's record is not known then. */
  byJournal?: boolean;
  /** Whether it is a step of an item with others after it. */
  inPart?: boolean;
}

/**
 * What the node knows of its own writes while an execution lives. A write is entered before it is sent, so that an
 * execution that is cut off leaves "unknown" behind, not "never sent".
 */
export interface WriteMemory {
  /**
   * What stands in the way of sending the request, after a person's word about it (option Resolve Items, or Send Again)
   * was taken into account; `undefined` when it is to be sent.
   */
  recall(request: PlannedRequest): Remembered | undefined;
  /**
   * Enters the request; to be called right before it leaves.
   * @returns why it may not leave after all, found only now.
   */
  sending(request: PlannedRequest): Failure | undefined;
  done(request: PlannedRequest, records: IDataObject[], partialFailure?: PartialFailure): void;
  /** The try that `sending` entered was not applied. */
  notApplied(request: PlannedRequest): void;
  /** Which try of the same write comes next, counting those that a person had sent anew. */
  attempt(request: PlannedRequest): string;
  /**
   * Enters what n8n's database knows of the request.
   * @returns what stands in the way of sending it, after a person's word about it; `undefined` when it is to be sent.
   */
  witnessed(request: PlannedRequest, witness: Obstacle): Remembered | undefined;
  /**
   * When the first try was sent that the service did not answer, in milliseconds since 1970, also where a person said that it
   * was not applied. `undefined` where there is none.
   */
  sentAt(request: PlannedRequest): number | undefined;
  /**
   * A write that a person had sent again is not sent, because a record can be of its earlier try.
   * @returns what stands in its way.
   */
  reopen?(request: PlannedRequest): Remembered | undefined;
  /** How many tries of the same write are of unknown outcome. */
  openTries(request: PlannedRequest): number;
  /** What the latest try of the write moved, or may have moved, in cents. */
  moved(request: PlannedRequest): number;
  /** What became of an item, whatever its request is now; a tool has no items. */
  standing?(item: number): Finished | { outcome: 'unknown' } | undefined;
  /** What equal calls did while this one was under way and was not applied; items have no equals. */
  meanwhile?(request: PlannedRequest): Remembered | undefined;
  /** The run is over; `complete` when all of it is done and n8n can't try it again. */
  end(complete: boolean): void;
}

/** Secrets that the service returns and that are no masked numbers (openapi.yaml#Webhook); they are never kept. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(UNMASKED_SECRETS);

/** Stands for a secret that the output leaves out. */
const HIDDEN = '***';

/** Records without the secrets in them, and the names of those. */
export function keepable(records: IDataObject[]): { records: IDataObject[]; left: string[] } {
  const left = new Set<string>();
  const strip = (value: DataValue): DataValue => {
    if (isList(value)) return value.map(strip);
    return isObject(value) ? stripped(value) : value;
  };
  const stripped = (record: IDataObject): IDataObject =>
    Object.fromEntries(
      Object.entries(record).flatMap(([name, inner]): Array<[string, DataValue]> => {
        if (!SECRET_FIELDS.has(name)) return [[name, strip(inner)]];
        // Hidden already: nothing is lost.
        if (inner === HIDDEN) return [[name, inner]];
        left.add(name);
        return [];
      }),
    );
  return { records: records.map(stripped), left: [...left] };
}

/** Whether only n8n's database knows of it: the moment of sending is not known then. */
export const hasWitness = (known: Remembered): boolean =>
  known.outcome === 'done' ? known.byJournal === true : known.outcome === 'unknown' && known.witness !== undefined;

/**
 * Whether a record of it would say what became of it. What was sent with other content or another credential can't be
 * looked for, and what is done with its result need not be.
 */
export function isOpen(known: Remembered | undefined): boolean {
  if (!known) return true;
  if (known.outcome === 'done') return known.byJournal === true;
  return known.outcome === 'unknown' && [undefined, 'begun', 'forgotten'].includes(known.witness);
}
