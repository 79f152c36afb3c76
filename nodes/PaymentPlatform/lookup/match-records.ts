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

/** Parts of a run that look-ups and the search for duplicates share. */
export interface LookingRun {
  context: IExecuteFunctions;
  /** Cache of the run's lists. The first look-up creates the cache. */
  readonly lists: ListCache;
  recordMatcher: RecordMatcher;
  gate: Gate;
  /** All writes of the run. */
  writes: PlannedRequest[];
}

/**
 * State of a write. `inFlight`: the response may still arrive. `lost`: the response was lost, and the node searches for
 * the record. `open`: the node found no record. `done`: the service applied the write, but the node doesn't know the
 * record. `placed`: the node knows the record.
 */
type State = 'waiting' | 'inFlight' | 'lost' | 'open' | 'done' | 'placed';

interface Write {
  values: WriteValues;
  key: string;
  state: State;
  /** Digest of the write's values. */
  content?: string;
}

/** States of writes that may have created an unassigned record. */
const SENT: readonly State[] = ['inFlight', 'lost', 'open', 'done'];
/** States of writes that may still get a record. */
const PENDING: readonly State[] = ['inFlight', 'lost'];

/**
 * Assigns the service's records to the writes of a run, so that a record never belongs to two writes. A write gets a
 * record only if no other write can have created the record. Equal writes get records only if enough records exist.
 */
export class RecordMatcher {
  private readonly taken: TakenRecords;
  private readonly writes = new Map<WriteValues, Write>();
  /** Writes by key (`Footprint.key`) and state. */
  private readonly byKey = new Map<string, Map<State, Set<Write>>>();

  constructor(context: IExecuteFunctions, writes: PlannedRequest[]) {
    this.taken = TakenRecords.of(context);
    for (const write of writes) this.become(write, 'waiting');
  }

  /**
   * Assigns the records of a completed item.
   * @param openTries number of earlier attempts with an unknown outcome. The records of these attempts may appear later
   * and must not be assigned to another write.
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

  /** Records that the node is sending the request. */
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

  /** Records that the outcome is unknown. A record that appears later must not be assigned to another write. */
  leaveOpen(request: PlannedRequest): void {
    this.become(request, 'open');
  }

  /** Assigns the newest matching record that certainly belongs to the write. */
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
    // Considers writes of other rounds only if a record belongs to a single write.
    const elsewhere = isExclusive(footprint) && !isGuard ? this.taken.unplacedElsewhere(footprint.key(values)) : 0;
    const areEqual =
      elsewhere === 0 && rivals.every((rival) => own !== undefined && contentOf(rival) === contentOf(own));
    // If the responses to equal writes were lost, the first look-up gets the record, and the other writes continue to
    // search.
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
   * Returns a record that may be equal, so that the node must not send the write. Another write may have created the
   * record, or the record's time may be unreadable.
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

/** Returns a record's ID, or the key of the write for a single record without an ID. */
const idOf = (record: IDataObject, { list, key }: Footprint, values: WriteValues) =>
  asText(record[list.identity]) || (list.newestBy === undefined ? key(values) : '');

/** Returns a digest of a write's values. Equal writes create equal records, so any assignment is correct. */
const contentOf = (write: Write): string =>
  (write.content ??= createHash('sha256').update(JSON.stringify(write.values)).digest('base64'));

/** Names of values in the node's context, which n8n stores with the execution. */
const CONTEXT_KEY = 'paymentPlatformMade';
const UNPLACED_KEY = 'paymentPlatformUnplaced';
/** Length of a record's code. With 48 bits, two records of an execution are very unlikely to have the same code. */
const CODE_LENGTH = 8;
const CODES = new RegExp(`.{${CODE_LENGTH}}`, 'g');
/** Maximum number of records to store for later rounds and attempts. */
const MOST_RECORDS = 1000;

interface Kept {
  /** Codes of record IDs, joined without a separator. */
  [CONTEXT_KEY]?: string;
  /** Codes of the writes without a known record, by round and position. */
  [UNPLACED_KEY]?: Record<string, Record<string, string>>;
}

/**
 * Records that belong to a write, so that no other write gets these records. For later rounds and attempts, the
 * execution stores short digests of the created records and of the writes without a known record.
 */
export class TakenRecords {
  /** IDs of records that this run created or found. */
  private readonly ofRun = new Set<string>();
  private readonly codes: Set<string>;
  /** Cache of codes, because a run compares many items with the same records. */
  private readonly known = new Map<string, string>();
  /** Number of writes without a known record in other rounds, by the code of the write's key. */
  private elsewhere?: Map<string, number>;

  private constructor(
    private readonly kept: Kept,
    private readonly round: number,
  ) {
    this.codes = new Set(kept[CONTEXT_KEY]?.match(CODES));
  }

  /** Opens the records of an execution. Stores nothing for a tool, because the tool's memory contains its records. */
  static of(context: IExecuteFunctions): TakenRecords {
    if (isTool(context.getNode())) return new TakenRecords({}, 0);
    return new TakenRecords(context.getContext('node'), currentRound(context).number);
  }

  /** Stores the key (`Footprint.key`) of a write that may have been applied and has no known record. */
  keepUnplaced(request: PlannedRequest, key: string): void {
    const rounds = (this.kept[UNPLACED_KEY] ??= {});
    (rounds[this.round] ??= {})[placeOf(request)] = this.codeOf(key);
  }

  /** Removes a write that has a known record or created no record. */
  forgetUnplaced(request: PlannedRequest): void {
    const { [this.round]: places } = this.kept[UNPLACED_KEY] ?? {};
    if (places) delete places[placeOf(request)];
  }

  /** Returns the number of writes in other rounds that have this key and no known record. */
  unplacedElsewhere(key: string): number {
    this.elsewhere ??= this.countElsewhere();
    return this.elsewhere.get(this.codeOf(key)) ?? 0;
  }

  /** Returns whether a record is assigned in this run or, if `inExecution` is true, in the execution. */
  has(id: string, inExecution: boolean): boolean {
    return this.ofRun.has(id) || (inExecution && this.codes.has(this.codeOf(id)));
  }

  /** Reserves a record for this run only. */
  take(id: string): void {
    this.ofRun.add(id);
  }

  /** Reserves a record in the whole execution, because the node created the record. */
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
