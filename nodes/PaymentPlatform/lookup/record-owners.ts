import { hash } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { currentRound, hasExecution, isTool, lineageOf } from '../n8n/lineage';
import type { WriteValues } from '../model/footprint';
import { placeOf } from '../model/operation';
import type { Account, PlannedRequest } from '../model/types';

/**
 * State of a write.
 * - `waiting`: the node hasn't sent the write, or the service didn't apply it.
 * - `inFlight`: the response may still arrive.
 * - `lost`: the response was lost, and the node searches for the record.
 * - `open`: the outcome is unknown, and the node doesn't know the record.
 * - `done`: the service applied the write, but the node doesn't know the record.
 * - `placed`: the node knows the record.
 */
export type State = 'waiting' | 'inFlight' | 'lost' | 'open' | 'done' | 'placed';

export interface Write {
  values: WriteValues;
  key: string;
  /** Name under which other runs find the write. */
  shared: string;
  state: State;
  /** Digest of `values`. */
  content?: string;
  /** Workflow's ID and key of Once per Key. */
  once?: string;
}

/** Run of a node. A retry belongs to the same run as the earlier attempts. */
export interface Run {
  node: string;
  execution?: string;
  names: string[];
  asked: ReadonlySet<string>;
}

interface Sent {
  run: Run;
  /** Time of sending in Unix milliseconds. */
  at: number;
}

/** Maximum milliseconds between sending a write and its record's creation. */
const LATE_MS = 10 * 60 * 1000;
/** Maximum number of writes and of records to remember. */
const MOST = 20_000;

/**
 * Writes and records of all runs with an account in this n8n process, so that a look-up doesn't take another
 * execution's record.
 */
export class OtherRuns {
  /** Runs of this process, by account. */
  static readonly byAccount = new Map<string, OtherRuns>();

  private readonly writes = new Map<string, Map<Write, Sent>>();
  private readonly records = new Map<string, Run>();
  /** Returns the oldest record next. A new iterator would pass over all deleted records. */
  private readonly oldest = this.records.keys();
  private count = 0;

  static of({ environment, baseUrl, merchantId }: Account): OtherRuns {
    const name = JSON.stringify([environment, baseUrl, merchantId]);
    const known = this.byAccount.get(name) ?? new OtherRuns();
    this.byAccount.set(name, known);
    return known;
  }

  /** Returns the same writes and records for a preview, whose changes no other run sees. */
  copy(): OtherRuns {
    const copy = new OtherRuns();
    for (const [name, equal] of this.writes) copy.writes.set(name, new Map(equal));
    for (const [id, run] of this.records) copy.records.set(id, run);
    copy.count = this.count;
    return copy;
  }

  static runOf(context: IExecuteFunctions): Run {
    const { names, asked } = lineageOf(context);
    const { name: node } = context.getNode();
    return { node, names, asked, ...(hasExecution(context) && { execution: context.getExecutionId() }) };
  }

  sends(run: Run, write: Write): void {
    const equal = this.writes.get(write.shared) ?? new Map<Write, Sent>();
    this.writes.set(write.shared, equal);
    if (!equal.has(write)) this.count += 1;
    equal.set(write, { run, at: Date.now() });
    const [oldest] = this.writes.values();
    const [first] = oldest?.keys() ?? [];
    if (this.count > MOST && first) this.forget(first);
  }

  /** Forgets a write whose record is known or that wasn't applied. */
  forget(write: Write): void {
    const equal = this.writes.get(write.shared);
    if (!equal?.delete(write)) return;
    this.count -= 1;
    if (equal.size === 0) this.writes.delete(write.shared);
  }

  /** @param identity field with the record's ID. */
  owns(run: Run, identity: string, id: string): void {
    this.records.set(`${identity} ${id}`, run);
    if (this.records.size > MOST) this.records.delete(this.oldest.next().value ?? '');
  }

  /** Returns other runs' writes with a shared name that may have created a record since a time. */
  rivals(run: Run, shared: string, since: number): Write[] {
    return [...(this.writes.get(shared) ?? [])].flatMap(([write, sent]) =>
      sent.at + LATE_MS >= since && isOther(run, sent.run) ? [write] : [],
    );
  }

  /** Returns whether a record belongs to another run. */
  isOwned(run: Run, identity: string, id: string): boolean {
    const owner = this.ownerOf(identity, id);
    return owner !== undefined && isOther(run, owner);
  }

  /** Returns the latest run that created or found a record. */
  ownerOf(identity: string, id: string): Run | undefined {
    return this.records.get(`${identity} ${id}`);
  }
}

const isOther = (one: Run, other: Run): boolean => one.node !== other.node || !isSameExecution(one, other);

/** Returns whether a run belongs to the execution of another run, or retries it. */
export function isSameExecution(one: Run, other: Run): boolean {
  const isSame = one === other || (one.execution !== undefined && one.execution === other.execution);
  return isSame || other.names.some((name) => one.asked.has(name));
}

/** Names in the node's context, which n8n stores with the execution. */
const CONTEXT_KEY = 'paymentPlatformMade';
const CUT_KEY = 'paymentPlatformMadeCut';
const UNPLACED_KEY = 'paymentPlatformUnplaced';
/** Name in the execution's context, which all its nodes share. */
const NODES_KEY = 'paymentPlatformMadeByNode';
/** With 48 bits, two records of an execution are very unlikely to have the same code. */
const CODE_LENGTH = 8;
const CODES = new RegExp(`.{${CODE_LENGTH}}`, 'g');
/** Maximum number of records to store, about 400 kB. */
export const MOST_RECORDS = 50_000;

interface Kept {
  /** Codes derived from record IDs, concatenated. */
  [CONTEXT_KEY]?: string;
  /** Whether codes were removed, so that a record may belong to an unknown earlier item. */
  [CUT_KEY]?: true;
  /** Codes of writes without a known record, by loop iteration and position. */
  [UNPLACED_KEY]?: Record<string, Record<string, string>>;
}

/**
 * Records that belong to a write, so that no other write gets them. The execution stores short digests for later loop
 * iterations and attempts.
 */
export class TakenRecords {
  /** IDs of records that this run created or found. */
  private readonly ofRun = new Set<string>();
  private readonly codes: Set<string>;
  /** Caches codes by ID. Runs compare many items with the same records. */
  private readonly known = new Map<string, string>();
  /** Number of writes without a known record in other loop iterations, by key code. */
  private elsewhere?: Map<string, number>;

  /** Codes of other nodes' records and of their writes without a known record. */
  private readonly ofNodes: ReadonlySet<string>;

  /**
   * @param shown part of `kept` that the execution's other nodes can read.
   * @param nodes such parts of other nodes.
   */
  private constructor(
    private readonly kept: Kept,
    private readonly round: number,
    private readonly shown: Kept = {},
    private readonly nodes: readonly Kept[] = [],
  ) {
    this.codes = new Set(kept[CONTEXT_KEY]?.match(CODES));
    this.ofNodes = new Set(
      nodes.flatMap(({ [CONTEXT_KEY]: made, [UNPLACED_KEY]: unplaced = {} }) => [
        ...(made?.match(CODES) ?? []),
        ...Object.values(unplaced).flatMap((places) => Object.values(places)),
      ]),
    );
    this.show();
  }

  /** Opens an execution's records. Stores nothing for a tool, whose memory contains its records. */
  static of(context: IExecuteFunctions): TakenRecords {
    if (isTool(context.getNode())) return new TakenRecords({}, 0);
    const execution: { [NODES_KEY]?: Record<string, Kept> } = context.getContext('flow');
    const nodes = (execution[NODES_KEY] ??= {});
    const own = `node ${context.getNode().name}`;
    const others = Object.entries(nodes).flatMap(([name, kept]) => (name === own ? [] : [kept]));
    return new TakenRecords(context.getContext('node'), currentRound(context).number, (nodes[own] ??= {}), others);
  }

  /** Stores the key (`Footprint.key`) of a write that may have been applied and has no known record. */
  keepUnplaced(request: PlannedRequest, key: string): void {
    const rounds = (this.kept[UNPLACED_KEY] ??= {});
    (rounds[this.round] ??= {})[placeOf(request)] = this.codeOf(key);
    this.show();
  }

  forgetUnplaced(request: PlannedRequest): void {
    const { [this.round]: places } = this.kept[UNPLACED_KEY] ?? {};
    if (places) delete places[placeOf(request)];
  }

  /** Returns the number of writes in other loop iterations with one of these keys and no known record. */
  unplacedElsewhere(keys: string[]): number {
    const elsewhere = (this.elsewhere ??= this.countElsewhere());
    return keys.reduce((sum, key) => sum + (elsewhere.get(this.codeOf(key)) ?? 0), 0);
  }

  /** Returns whether a write of this run (or execution, if `inExecution`) owns the record. */
  has(id: string, inExecution: boolean): boolean {
    return this.ofRun.has(id) || (inExecution && this.codes.has(this.codeOf(id)));
  }

  /** Reserves a record for this run only. */
  take(id: string): void {
    this.ofRun.add(id);
  }

  /** Reserves a record of one of the node's items for the whole execution. */
  add(id: string): void {
    this.take(id);
    const code = this.codeOf(id);
    if (id === '' || this.codes.has(code)) return;
    if (this.codes.size >= MOST_RECORDS) this.kept[CUT_KEY] = true;
    else this.kept[CONTEXT_KEY] = `${this.kept[CONTEXT_KEY] ?? ''}${code}`;
    this.codes.add(code);
    this.show();
  }

  /** Returns whether a record may belong to an item without a stored code. */
  get isCut(): boolean {
    return [this.kept, ...this.nodes].some(({ [CUT_KEY]: isCut }) => isCut === true);
  }

  /** Returns whether another node of the execution has the record, or a write with the key and no known record. */
  isOfOtherNode(idOrKey: string): boolean {
    return this.ofNodes.size > 0 && this.ofNodes.has(this.codeOf(idOrKey));
  }

  private show(): void {
    const { [CONTEXT_KEY]: made, [CUT_KEY]: isCut, [UNPLACED_KEY]: unplaced } = this.kept;
    Object.assign(this.shown, { [CONTEXT_KEY]: made, [CUT_KEY]: isCut, [UNPLACED_KEY]: unplaced });
  }

  private countElsewhere(): Map<string, number> {
    const counts = new Map<string, number>();
    const others = Object.entries(this.kept[UNPLACED_KEY] ?? {}).filter(([round]) => round !== String(this.round));
    for (const code of others.flatMap(([, places]) => Object.values(places)))
      counts.set(code, (counts.get(code) ?? 0) + 1);
    return counts;
  }

  private codeOf(id: string): string {
    const code = this.known.get(id) ?? hash('sha256', id, 'base64url').slice(0, CODE_LENGTH);
    this.known.set(id, code);
    return code;
  }
}
