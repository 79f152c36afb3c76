import { createHash } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { currentRound, isTool } from '../n8n/lineage';
import { placeOf } from '../model/item-steps';
import type { PlannedRequest } from '../model/types';

/** Names of the records and writes in the node's context, which n8n stores with the execution. */
const CONTEXT_KEY = 'paymentPlatformMade';
const UNPLACED_KEY = 'paymentPlatformUnplaced';
/** 48 bits, so that no two records of an execution have the same code. */
const CODE_LENGTH = 8;
const CODES = new RegExp(`.{${CODE_LENGTH}}`, 'g');
/**
 * Maximum number of stored records. The limit is safe, because a loop that creates more records within minutes creates
 * no equal writes.
 */
const MOST_RECORDS = 1000;

interface Kept {
  /** Codes of the records' IDs, joined without a separator. */
  [CONTEXT_KEY]?: string;
  /** Codes of the keys of writes without a known record, by round and position. */
  [UNPLACED_KEY]?: Record<string, Record<string, string>>;
}

/**
 * Records that belong to a write, so that no other item gets them. Records that the node created are taken in all
 * rounds and attempts of the execution, which stores short digests of their IDs, less than 10 kB. Writes without a
 * known record are stored too, because their records belong to no item of another round.
 */
export class TakenRecords {
  /** IDs of records that this run created or found. */
  private readonly ofRun = new Set<string>();
  private readonly codes: Set<string>;
  /** Codes of IDs and keys. Cached, because a run compares many items with the same records. */
  private readonly known = new Map<string, string>();
  /** Number of writes of other rounds by the code of their key. The numbers do not change during this round. */
  private elsewhere?: Map<string, number>;

  private constructor(
    private readonly kept: Kept,
    private readonly round: number,
  ) {
    this.codes = new Set(kept[CONTEXT_KEY]?.match(CODES));
  }

  /** A tool's memory contains the records of earlier calls, so this class stores nothing for a tool. */
  static of(context: IExecuteFunctions): TakenRecords {
    if (isTool(context.getNode())) return new TakenRecords({}, 0);
    return new TakenRecords(context.getContext('node'), currentRound(context).number);
  }

  /**
   * Stores a write that was completed or has an unknown outcome, and whose record is unknown.
   * @param key of the write (`Footprint.key`).
   */
  keepUnplaced(request: PlannedRequest, key: string): void {
    const rounds = (this.kept[UNPLACED_KEY] ??= {});
    (rounds[this.round] ??= {})[placeOf(request)] = this.codeOf(key);
  }

  /** Removes a write whose record is known or that created no record. */
  forgetUnplaced(request: PlannedRequest): void {
    const { [this.round]: places } = this.kept[UNPLACED_KEY] ?? {};
    if (places) delete places[placeOf(request)];
  }

  /** Returns the number of writes in other rounds with this key and without a known record. */
  unplacedElsewhere(key: string): number {
    this.elsewhere ??= this.countElsewhere();
    return this.elsewhere.get(this.codeOf(key)) ?? 0;
  }

  /**
   * Returns whether a record is taken.
   * @param inExecution whether to include records that other runs of the execution created.
   */
  has(id: string, inExecution: boolean): boolean {
    return this.ofRun.has(id) || (inExecution && this.codes.has(this.codeOf(id)));
  }

  /** Reserves a record for this run only. */
  take(id: string): void {
    this.ofRun.add(id);
  }

  /** Reserves a record that the node created. */
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
