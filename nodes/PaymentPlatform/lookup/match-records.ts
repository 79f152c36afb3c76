import { createHash } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { TakenRecords } from './taken-records';
import { originalRequest } from '../model/item-steps';
import type { FoundRecord } from './found-record';
import { isAfterCutoff, type Cutoff } from './list-cache';
import { candidates } from '../model/candidates';
import { isExclusive, type WriteValues, type Footprint } from '../model/footprint';
import type { PlannedRequest } from '../model/types';

/** The records that a look found for a write, and which of them count. */
export interface Looked {
  /** Values that the records are compared with. */
  values: WriteValues;
  footprint: Footprint;
  records: IDataObject[];
  /** From when on records count; all of them unless given. */
  since?: Cutoff | undefined;
  /** Whether what another round of a loop made counts as well: a guard refuses where a count would go on. */
  isGuard?: boolean;
  /** Why the node looks: an answer got lost, an earlier try is open, or a record may exist before the write is sent. */
  kind: FoundRecord['kind'];
}

/** What a look says about a write. */
export interface Match {
  /** The write's own record. */
  record?: IDataObject;
  /** Records that agree, where another write may have left them. */
  unclear: IDataObject[];
  /** Whether one of those records can be the write's own: there are more than the other writes that were applied need. */
  isDoubtful: boolean;
  /** Whether the answer to another write is still to come, which may name the record. */
  isPending: boolean;
}

/**
 * `inFlight`: its answer may still come. `lost`: its answer got lost, and the node looks for its record. `open`: the node did
 * not find the record. `done`: it was applied, and its record is unknown. `placed`: its record is known.
 */
type State = 'waiting' | 'inFlight' | 'lost' | 'open' | 'done' | 'placed';

interface Write {
  values: WriteValues;
  key: string;
  state: State;
  /** Digest of its whole content. */
  content?: string;
}

/** States of writes that can have left a record that no item has yet. */
const SENT: readonly State[] = ['inFlight', 'lost', 'open', 'done'];
/** States in which it is not decided yet which record a write gets. */
const PENDING: readonly State[] = ['inFlight', 'lost'];

/**
 * Assigns the service's records to the writes of a run. A record belongs to one write. A write gets a record only if no other
 * write can have left it, or if all writes that can have the same content and there are enough records for all of them.
 */
export class RecordMatcher {
  private readonly taken: TakenRecords;
  private readonly writes = new Map<WriteValues, Write>();
  /** The writes of one key (`Footprint.key`), by their state. */
  private readonly byKey = new Map<string, Map<State, Set<Write>>>();

  constructor(context: IExecuteFunctions, writes: PlannedRequest[]) {
    this.taken = TakenRecords.of(context);
    for (const write of writes) this.become(write, 'waiting');
  }

  /**
   * The item is done, with these records.
   * @param openTries number of its earlier tries whose outcome is unknown. Their records may turn up later and must not be
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

  /** No write of the run may get this record. */
  take(id: string): void {
    this.taken.take(id);
  }

  /** The request leaves. Until its answer is there, a new record may be its own. */
  leaves(request: PlannedRequest): void {
    this.become(request, 'inFlight');
  }

  /** The answer to the request got lost. */
  loses(request: PlannedRequest): void {
    this.become(request, 'lost');
  }

  /** The service did not apply the request, so no record is its own. */
  notApplied(request: PlannedRequest): void {
    this.become(request, 'waiting');
  }

  /** The outcome of the request is unknown. Its record may turn up later and must not be assigned to another write. */
  leaveOpen(request: PlannedRequest): void {
    this.become(request, 'open');
  }

  /** Assigns the latest record that agrees and that is sure to be the write's own. */
  claim(request: PlannedRequest, looked: Looked): Match {
    const { footprint, records, values, since, isGuard, kind } = looked;
    const free = candidates(records, footprint, values).filter((record) => {
      const id = idOf(record, footprint, values);
      if (id === '' || !footprint.matches(record, values) || this.isTaken(id, footprint, isGuard)) return false;
      if (kind === 'lost' && footprint.changedSince?.(record, values)) return false;
      return since === undefined || isAfterCutoff(record, footprint, since);
    });
    const [latest] = free;
    if (!latest) return { unclear: [], isDoubtful: false, isPending: false };
    const rivals = this.rivals(request, looked, free);
    const own = this.writeOf(request);
    // Records of a path that gives one record tell the rounds apart by themselves.
    const elsewhere = isExclusive(footprint) && !isGuard ? this.taken.unplacedElsewhere(footprint.key(values)) : 0;
    const areEqual =
      elsewhere === 0 && rivals.every((rival) => own !== undefined && contentOf(rival) === contentOf(own));
    // Of equal writes whose answers got lost, whichever looks first may have the record: the others look on.
    const counted = kind === 'lost' ? rivals.filter(({ state }) => state !== 'lost') : rivals;
    if (areEqual && counted.length < free.length) {
      this.take(idOf(latest, footprint, values));
      return { record: latest, unclear: [], isDoubtful: false, isPending: false };
    }
    return {
      unclear: free,
      isDoubtful: free.length > elsewhere + rivals.filter(({ state }) => state === 'done').length,
      isPending: rivals.some(({ state }) => PENDING.includes(state)),
    };
  }

  /**
   * A record that keeps an item from being sent, though it may be of another write: its outcome is open, or its time can't
   * be read.
   */
  doubtful({ values, footprint, records, since, isGuard }: Omit<Looked, 'kind'>): IDataObject | undefined {
    const { list, matches, mayMatch = matches, time } = footprint;
    return candidates(records, footprint, values).find((record) => {
      if (!mayMatch(record, values) || this.isTaken(asText(record[list.identity]), footprint, isGuard)) return false;
      const at = time?.(record);
      return since === undefined || at === undefined || at >= since.at;
    });
  }

  /** The other writes of the run that may have left one of the records. */
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

/** What tells the record from others; a record that may be of any kind, by what is asked for. */
const idOf = (record: IDataObject, { list, key }: Footprint, values: WriteValues) =>
  asText(record[list.identity]) || (list.newestBy === undefined ? key(values) : '');

/** Two writes of one content leave equal records, so it does not matter which record belongs to which of them. */
const contentOf = (write: Write): string =>
  (write.content ??= createHash('sha256').update(JSON.stringify(write.values)).digest('base64'));
