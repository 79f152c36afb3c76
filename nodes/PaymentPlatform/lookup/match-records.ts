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
import type { DatabaseKeys } from '../once/database-keys';
import type { Gate } from '../service/gate';

/** Parts of a run that the look-ups need. */
export interface LookingRun {
  context: IExecuteFunctions;
  readonly lists: ListCache;
  recordMatcher: RecordMatcher;
  keys: Pick<DatabaseKeys, 'hasEqualLater'>;
  gate: Gate;
  /** All writes of the run. */
  writes: PlannedRequest[];
}

/**
 * State of a write.
 * - `waiting`: the node hasn't sent the write, or the service didn't apply it.
 * - `inFlight`: the response may still arrive.
 * - `lost`: the response was lost, and the node searches for the record.
 * - `open`: the outcome is unknown, and the node doesn't know the record.
 * - `done`: the service applied the write, but the node doesn't know the record.
 * - `placed`: the node knows the record.
 */
type State = 'waiting' | 'inFlight' | 'lost' | 'open' | 'done' | 'placed';

interface Write {
  values: WriteValues;
  key: string;
  state: State;
  /** Digest of `values`. */
  content?: string;
}

/** States of writes that may have created an unassigned record. */
const SENT: readonly State[] = ['inFlight', 'lost', 'open', 'done'];
/** Write states that can still match a record. */
const PENDING: readonly State[] = ['inFlight', 'lost'];

/**
 * Assigns the service's records to the writes of a run, so that a record never belongs to two writes. A write gets a
 * record only if no other write can have created the record. Identical writes get records only if enough records exist.
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
   * @param openTries number of earlier attempts with an unknown outcome, whose records may appear later.
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

  /** Withholds a record from all writes of the run. */
  take(id: string): void {
    this.taken.take(id);
  }

  leaves(request: PlannedRequest): void {
    this.become(request, 'inFlight');
  }

  loses(request: PlannedRequest): void {
    this.become(request, 'lost');
  }

  /** Marks the request as not applied by the service, so no record belongs to it. */
  notApplied(request: PlannedRequest): void {
    this.become(request, 'waiting');
  }

  /** Marks the outcome unknown. No other write may claim a record that appears later. */
  leaveOpen(request: PlannedRequest): void {
    this.become(request, 'open');
  }

  /** Returns the first matching record if the record certainly belongs to the write. */
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
    // If several writes can share a record, the writes of other loop iterations don't compete for the record.
    const compete = isExclusive(footprint) && !isGuard;
    const elsewhere = compete ? this.taken.unplacedElsewhere(keysOf(looked, free)) : 0;
    const isLater = compete && looked.hasEqualLater === true;
    const isAlone = elsewhere === 0 && !isLater;
    const areEqual = isAlone && rivals.every((rival) => own !== undefined && contentOf(rival) === contentOf(own));
    // If the responses to identical writes were lost, the first look-up gets the record, and the other writes continue
    // to search.
    const counted = kind === 'lost' ? rivals.filter(({ state }) => state !== 'lost') : rivals;
    if (areEqual && counted.length < free.length) {
      this.take(idOf(latest, footprint, values));
      return { ...NO_MATCH, record: latest };
    }
    // A person can't resolve the later write first, so the node trusts a person's finding about this write.
    const isResolved = isLater && request.options.unknownOutcome !== 'resend';
    return {
      unclear: free,
      isDoubtful: !isResolved && free.length > elsewhere + rivals.filter(({ state }) => state === 'done').length,
      isPending: rivals.some(({ state }) => PENDING.includes(state)),
    };
  }

  /**
   * Returns a record that may match the write, in which case the node must not send it. Another write may have created
   * the record, or the record's time may be unreadable.
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
  private rivals(request: PlannedRequest, looked: Looked, records: IDataObject[]): Write[] {
    const { matches, mayMatch = matches } = looked.footprint;
    const states: readonly State[] = looked.kind === 'earlier' ? ['waiting', ...SENT] : SENT;
    const own = this.writeOf(request);
    return keysOf(looked, records)
      .flatMap((key) => states.flatMap((state) => [...(this.byKey.get(key)?.get(state) ?? [])]))
      .filter((write) => write !== own && records.some((record) => mayMatch(record, write.values)));
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

/** Returns a record's ID, or the write's key if a single record has no ID. */
const idOf = (record: IDataObject, { list, key }: Footprint, values: WriteValues) =>
  asText(record[list.identity]) || (list.newestBy === undefined ? key(values) : '');

/** Returns the keys of all writes that could have created one of the records. */
const keysOf = ({ footprint, values }: Looked, records: IDataObject[]): string[] => [
  ...new Set([footprint.key(values), ...records.flatMap((record) => footprint.keysOf?.(record) ?? [])]),
];

/** Digest of a write's values. Identical writes create identical records, so any pairing is correct. */
const contentOf = (write: Write): string =>
  (write.content ??= createHash('sha256').update(JSON.stringify(write.values)).digest('base64'));

/** Names of values in the node's context, which n8n stores with the execution. */
const CONTEXT_KEY = 'paymentPlatformMade';
const UNPLACED_KEY = 'paymentPlatformUnplaced';
/** Length of a record's code. With 48 bits, two records of an execution are very unlikely to have the same code. */
const CODE_LENGTH = 8;
const CODES = new RegExp(`.{${CODE_LENGTH}}`, 'g');
/** Maximum number of records to store for later loop iterations and attempts. */
const MOST_RECORDS = 1000;

interface Kept {
  /** Codes derived from record IDs, concatenated. */
  [CONTEXT_KEY]?: string;
  /** Codes of the writes without a known record, by loop iteration and position. */
  [UNPLACED_KEY]?: Record<string, Record<string, string>>;
}

/**
 * Records that belong to a write, so that no other write gets these records. The execution stores short digests for
 * later loop iterations and attempts.
 */
export class TakenRecords {
  /** IDs of records that this run created or found. */
  private readonly ofRun = new Set<string>();
  private readonly codes: Set<string>;
  /** Caches codes by ID. Runs compare many items with the same records. */
  private readonly known = new Map<string, string>();
  /** Number of writes without a known record in other loop iterations, by the code of the write's key. */
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

  /** Stores the key (`Footprint.key`) of a write that the service may have applied and that has no known record. */
  keepUnplaced(request: PlannedRequest, key: string): void {
    const rounds = (this.kept[UNPLACED_KEY] ??= {});
    (rounds[this.round] ??= {})[placeOf(request)] = this.codeOf(key);
  }

  forgetUnplaced(request: PlannedRequest): void {
    const { [this.round]: places } = this.kept[UNPLACED_KEY] ?? {};
    if (places) delete places[placeOf(request)];
  }

  /** Returns the number of writes in other loop iterations that have one of these keys and no known record. */
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

  /** Reserves a record for the whole execution, because it belongs to one of the node's items. */
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
