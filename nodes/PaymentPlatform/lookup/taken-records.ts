import { createHash } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { currentRound } from '../n8n/count-rounds';
import { isTool } from '../n8n/lineage';
import { placeOf } from '../model/item-steps';
import type { PlannedRequest } from '../model/types';

/** The node's context keeps the records and the writes under these names. n8n stores the context with the execution. */
const CONTEXT_KEY = 'paymentPlatformMade';
const UNPLACED_KEY = 'paymentPlatformUnplaced';
/** 48 bits, so that no two records of an execution have the same code. */
const CODE_LENGTH = 8;
const CODES = new RegExp(`.{${CODE_LENGTH}}`, 'g');
/** Limit for the records that are kept. A loop that makes more of them within minutes makes no equal writes. */
const MOST_RECORDS = 1000;

interface Kept {
  /** Codes of the records' IDs, joined without a separator. */
  [CONTEXT_KEY]?: string;
  /** Codes of the keys of writes whose record is unknown, by round and place. */
  [UNPLACED_KEY]?: Record<string, Record<string, string>>;
}

/**
 * Records that belong to a write, so that no other item gets them. Records that the node made are taken in all rounds and
 * attempts of the execution, which keeps short digests of their IDs, less than 10 kB. Writes whose record is unknown are
 * kept too, because their records belong to no item of another round.
 */
export class TakenRecords {
  /** IDs of records that this run made or found. */
  private readonly ofRun = new Set<string>();
  private readonly codes: Set<string>;
  /** Codes of IDs and keys. A run compares many items with the same records. */
  private readonly known = new Map<string, string>();
  /** Number of writes of other rounds by the code of their key. Other rounds do not change during this one. */
  private elsewhere?: Map<string, number>;

  private constructor(
    private readonly kept: Kept,
    private readonly round: number,
  ) {
    this.codes = new Set(kept[CONTEXT_KEY]?.match(CODES));
  }

  /** A tool's memory knows the records of earlier calls. */
  static of(context: IExecuteFunctions): TakenRecords {
    if (isTool(context.getNode())) return new TakenRecords({}, 0);
    return new TakenRecords(context.getContext('node'), currentRound(context).number);
  }

  /** Keeps a write that is done or open and whose record is unknown. @param key of the write (`Footprint.key`). */
  keepUnplaced(request: PlannedRequest, key: string): void {
    const rounds = (this.kept[UNPLACED_KEY] ??= {});
    (rounds[this.round] ??= {})[placeOf(request)] = this.codeOf(key);
  }

  /** The record of the write is known, or the write left none. */
  forgetUnplaced(request: PlannedRequest): void {
    const { [this.round]: places } = this.kept[UNPLACED_KEY] ?? {};
    if (places) delete places[placeOf(request)];
  }

  /** Returns the number of writes of other rounds that have the key and whose record is unknown. */
  unplacedElsewhere(key: string): number {
    this.elsewhere ??= this.countElsewhere();
    return this.elsewhere.get(this.codeOf(key)) ?? 0;
  }

  /** Whether a record is taken. @param inExecution whether records that other runs of the execution made count. */
  has(id: string, inExecution: boolean): boolean {
    return this.ofRun.has(id) || (inExecution && this.codes.has(this.codeOf(id)));
  }

  /** Takes a record for this run only. */
  take(id: string): void {
    this.ofRun.add(id);
  }

  /** Takes a record that the node made. */
  add(id: string): void {
    this.take(id);
    const code = this.codeOf(id);
    if (id === '' || this.codes.has(code)) return;
    this.codes.add(code);
    this.kept[CONTEXT_KEY] = `${this.kept[CONTEXT_KEY] ?? ''}${code}`.slice(-MOST_RECORDS * CODE_LENGTH);
  }

  private countElsewhere(): Map<string, number> {
    const counts = new Map<string, number>();
    const others = Object.entries(this.kept[UNPLACED_KEY] ?? {}).filter(([round]) => round !== String(this.round));
    for (const code of others.flatMap(([, places]) => Object.values(places)))
      counts.set(code, (counts.get(code) ?? 0) + 1);
    return counts;
  }

  private codeOf(id: string): string {
    const code = this.known.get(id) ?? digest(id);
    this.known.set(id, code);
    return code;
  }
}

const digest = (id: string) => createHash('sha256').update(id).digest('base64url').slice(0, CODE_LENGTH);
