import { createHash } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { currentRound, isTool } from '../n8n/lineage';
import { originalRequest, placeOf } from '../model/item-steps';
import { NO_MATCH, type Looked, type Match } from './found-record';
import { isAfterCutoff, type ListCache } from './list-cache';
import { candidates } from '../model/candidates';
import { isExclusive, type WriteValues, type Footprint } from '../model/footprint';
import type { PlannedRequest } from '../model/types';
import type { Gate } from '../service/gate';

/** Parts of a run that its look-ups and its search for duplicates share. */
export interface LookingRun {
  context: IExecuteFunctions;
  /** Cache of the run's lists, created with the first look-up. */
  readonly lists: ListCache;
  recordMatcher: RecordMatcher;
  gate: Gate;
  /** All writes of the run. */
  writes: PlannedRequest[];
}

/**
 * `inFlight`: the response may still arrive. `lost`: the response was lost, and the node looks up the record. `open`:
 * the node did not find the record. `done`: the write was applied, and its record is unknown. `placed`: the record is
 * known.
 */
type State = 'waiting' | 'inFlight' | 'lost' | 'open' | 'done' | 'placed';

interface Write {
  values: WriteValues;
  key: string;
  state: State;
  /** Digest of its whole content. */
  content?: string;
}

/** States of writes that can have created a record that is not assigned yet. */
const SENT: readonly State[] = ['inFlight', 'lost', 'open', 'done'];
/** States of writes to which a record may still be assigned. */
const PENDING: readonly State[] = ['inFlight', 'lost'];

/**
 * Assigns the service's records to the writes of a run. A record belongs to one write. A write gets a record if no other
 * write can have created it. Equal writes get records if there are enough records for all of them.
 */
export class RecordMatcher {
  private readonly taken: TakenRecords;
  private readonly writes = new Map<WriteValues, Write>();
  /** Writes by their key (`Footprint.key`) and state. */
  private readonly byKey = new Map<string, Map<State, Set<Write>>>();

  constructor(context: IExecuteFunctions, writes: PlannedRequest[]) {
    this.taken = TakenRecords.of(context);
    for (const write of writes) this.become(write, 'waiting');
  }

  /**
   * Assigns the records of an item that is done.
   * @param openTries number of its earlier attempts with an unknown outcome. Their records may appear later and must not be
   * assigned to another write.
   */
  own(request: PlannedRequest, records: IDataObject[], openTries = 0): void {
    const { footprint } = request.operation;
    if (!footprint) return;
    const ids = records.map((record) => asText(record[footprint.list.identity])).filter(Boolean);
    for (const id of ids) this.taken.add(id);
    this.become(request, ids.length > 0 ? 'placed' : 'done');
    const { values } = originalRequest(request);
    for (let left = openTries; left > 0; left -= 1) {
      const key = footprint.key(values);
      this.among(key, 'open').add({ values, key, state: 'open' });
      this.taken.keepUnplaced(request, key);
    }
  }

  /** Reserves a record, so that no write of the run gets the record. */
  take(id: string): void {
    this.taken.take(id);
  }

  /** Records that the request is being sent. */
  leaves(request: PlannedRequest): void {
    this.become(request, 'inFlight');
  }

  /** Records that the response to the request was lost. */
  loses(request: PlannedRequest): void {
    this.become(request, 'lost');
  }

  /** Records that the service did not apply the request, so no record belongs to the request. */
  notApplied(request: PlannedRequest): void {
    this.become(request, 'waiting');
  }

  /** Records that the outcome is unknown. The record may appear later and must not be assigned to another write. */
  leaveOpen(request: PlannedRequest): void {
    this.become(request, 'open');
  }

  /** Assigns the latest matching record that certainly belongs to the write. */
  claim(request: PlannedRequest, looked: Looked): Match {
    const { footprint, records, values, since, isGuard, kind } = looked;
    const free = candidates(records, footprint, values).filter((record) => {
      const id = idOf(record, footprint, values);
      if (id === '' || !footprint.matches(record, values) || this.isTaken(id, footprint, isGuard)) return false;
      if (kind === 'lost' && footprint.changedSince?.(record, values)) return false;
      return since === undefined || isAfterCutoff(record, footprint, since);
    });
    const [latest] = free;
    if (!latest) return NO_MATCH;
    const rivals = this.rivals(request, looked, free);
    const own = this.writeOf(request);
    // If the path returns a single record, writes of other rounds can't have created the record.
    const elsewhere = isExclusive(footprint) && !isGuard ? this.taken.unplacedElsewhere(footprint.key(values)) : 0;
    const areEqual =
      elsewhere === 0 && rivals.every((rival) => own !== undefined && contentOf(rival) === contentOf(own));
    // If the responses to equal writes were lost, the record is assigned to the first write that is looked up, and the
    // others continue to search.
    const counted = kind === 'lost' ? rivals.filter(({ state }) => state !== 'lost') : rivals;
    if (areEqual && counted.length < free.length) {
      this.take(idOf(latest, footprint, values));
      return { ...NO_MATCH, record: latest };
    }
    return {
      unclear: free,
      isDoubtful: free.length > elsewhere + rivals.filter(({ state }) => state === 'done').length,
      isPending: rivals.some(({ state }) => PENDING.includes(state)),
    };
  }

  /**
   * Returns a record that prevents sending although it may belong to another write, because the outcome of that write
   * is unknown or the record's time can't be read.
   */
  doubtful({ values, footprint, records, since, isGuard }: Omit<Looked, 'kind'>): IDataObject | undefined {
    const { list, matches, mayMatch = matches, time } = footprint;
    return candidates(records, footprint, values).find((record) => {
      if (!mayMatch(record, values) || this.isTaken(asText(record[list.identity]), footprint, isGuard)) return false;
      const at = time?.(record);
      return since === undefined || at === undefined || at >= since.at;
    });
  }

  /** Returns the other writes of the run that may have created one of the records. */
  private rivals(request: PlannedRequest, { footprint, values, kind }: Looked, records: IDataObject[]): Write[] {
    const { matches, mayMatch = matches } = footprint;
    const states: readonly State[] = kind === 'earlier' ? ['waiting', ...SENT] : SENT;
    const own = this.writeOf(request);
    const found = new Set<Write>();
    for (const record of records)
      for (const key of new Set([footprint.key(values), ...(footprint.keysOf?.(record) ?? [])]))
        for (const state of states)
          for (const write of this.byKey.get(key)?.get(state) ?? [])
            if (write !== own && !found.has(write) && mayMatch(record, write.values)) found.add(write);
    return [...found];
  }

  private become(request: PlannedRequest, state: State): void {
    const { footprint } = request.operation;
    if (!footprint) return;
    const { values } = originalRequest(request);
    const write = this.writes.get(values) ?? { values, key: footprint.key(values), state };
    this.writes.set(values, write);
    this.among(write.key, write.state).delete(write);
    write.state = state;
    this.among(write.key, state).add(write);
    if (state === 'open' || state === 'done') this.taken.keepUnplaced(request, write.key);
    else this.taken.forgetUnplaced(request);
  }

  private among(key: string, state: State): Set<Write> {
    const states = this.byKey.get(key) ?? new Map<State, Set<Write>>();
    this.byKey.set(key, states);
    const writes = states.get(state) ?? new Set<Write>();
    states.set(state, writes);
    return writes;
  }

  private writeOf(request: PlannedRequest): Write | undefined {
    return this.writes.get(originalRequest(request).values);
  }

  private isTaken(id: string, footprint: Footprint, isGuard = false): boolean {
    return this.taken.has(id, !isGuard && isExclusive(footprint));
  }
}

/** Returns the ID of a record. A single record without an ID is identified by the values of the request. */
const idOf = (record: IDataObject, { list, key }: Footprint, values: WriteValues) =>
  asText(record[list.identity]) || (list.newestBy === undefined ? key(values) : '');

/** Returns a digest of a write. Writes with equal content create equal records, so any of these records fits. */
const contentOf = (write: Write): string =>
  (write.content ??= createHash('sha256').update(JSON.stringify(write.values)).digest('base64'));

/** Names of the records and writes in the node's context, which n8n stores with the execution. */
const CONTEXT_KEY = 'paymentPlatformMade';
const UNPLACED_KEY = 'paymentPlatformUnplaced';
/** 48 bits, so that no two records of an execution have the same code. */
const CODE_LENGTH = 8;
const CODES = new RegExp(`.{${CODE_LENGTH}}`, 'g');
/** Maximum number of stored records. A loop that creates more within minutes creates no equal writes. */
const MOST_RECORDS = 1000;

interface Kept {
  /** Codes of the records' IDs, joined without a separator. */
  [CONTEXT_KEY]?: string;
  /** Codes of the keys of writes without a known record, by round and position. */
  [UNPLACED_KEY]?: Record<string, Record<string, string>>;
}

/**
 * Records that belong to a write, so that no other item gets them. The execution stores short digests of the IDs of
 * records that the node created, and of writes without a known record, for its other rounds and attempts.
 */
export class TakenRecords {
  /** IDs of records that this run created or found. */
  private readonly ofRun = new Set<string>();
  private readonly codes: Set<string>;
  /** Codes of IDs and keys. Cached, because a run compares many items with the same records. */
  private readonly known = new Map<string, string>();
  /** Number of writes in other rounds, by the code of the write's key. The numbers do not change during this round. */
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
    const code = this.known.get(id) ?? createHash('sha256').update(id).digest('base64url').slice(0, CODE_LENGTH);
    this.known.set(id, code);
    return code;
  }
}
