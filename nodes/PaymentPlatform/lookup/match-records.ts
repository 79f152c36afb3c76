import { createHash } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { isSamePayment } from '../model/identity';
import { originalRequest } from '../model/operation';
import { NO_MATCH, type Looked, type Match } from './found-record';
import { isAfterCutoff, isBeforeCutoff, type ListCache } from './list-cache';
import { candidates } from '../model/candidates';
import {
  isExclusive,
  likenessOf,
  withoutReference,
  type WriteValues,
  type Footprint,
  type Listing,
} from '../model/footprint';
import { likenessOfAll, type Likeness } from '../model/likeness';
import { OtherRuns, type Run, type State, type Write, TakenRecords } from './record-owners';
import type { Account, PlannedRequest } from '../model/types';
import type { DatabaseKeys } from '../once/database-keys';
import { madeId } from '../service/decode-response';
import type { Gate } from '../service/gate';

/** Parts of a run that the look-ups need. */
export interface LookingRun {
  context: IExecuteFunctions;
  account: Account;
  readonly lists: ListCache;
  recordMatcher: RecordMatcher;
  keys: Pick<DatabaseKeys, 'hasEqualElsewhere'>;
  gate: Gate;
  /** All writes of the run. */
  writes: PlannedRequest[];
}

/** States of writes that may have created an unassigned record. */
const SENT: readonly State[] = ['inFlight', 'lost', 'open', 'done'];
/** Write states that can still match a record. */
const PENDING: readonly State[] = ['inFlight', 'lost'];

/**
 * Assigns the service's records to the writes of a run, so that a record never belongs to two writes. A write gets a
 * record that shows its own reference. It gets another record only if all values are equal and no other write, of this
 * or another run, can have created it. Identical writes of a run get records only if enough exist.
 */
export class RecordMatcher {
  private readonly taken: TakenRecords;
  private readonly run: Run;
  private readonly writes = new Map<WriteValues, Write>();
  /** Writes by the key that they have without the node's own reference. */
  private readonly byUserKey = new Map<string, PlannedRequest[]>();
  /** Writes by key (`Footprint.key`) and state. */
  private readonly byKey = new Map<string, Map<State, Set<Write>>>();

  constructor(
    private readonly context: IExecuteFunctions,
    writes: PlannedRequest[],
    private readonly others = new OtherRuns(),
  ) {
    this.taken = TakenRecords.of(context);
    this.run = OtherRuns.runOf(context);
    for (const write of writes) this.become(write, 'waiting');
  }

  /**
   * Assigns a completed item's records.
   * @param openAttempts number of earlier attempts with an unknown outcome, whose records may appear later.
   */
  own(request: PlannedRequest, records: IDataObject[], openAttempts = 0): void {
    const { footprint } = request.operation;
    if (!footprint) return;
    const { newestBy, identity } = identified(request, footprint);
    const ids = records.map((record) => asText(record[identity])).filter(Boolean);
    for (const id of ids) {
      this.taken.add(id);
      if (newestBy !== undefined) this.others.owns(this.run, identity, id);
    }
    this.become(request, ids.length > 0 ? 'placed' : 'done');
    const { values } = originalRequest(request);
    for (let left = openAttempts; left > 0; left -= 1) {
      const key = footprint.key(values);
      this.among(key, 'open').add({ values, key, shared: sharedKey(request, key), state: 'open' });
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

  /** No record belongs to a request that the service didn't apply. */
  notApplied(request: PlannedRequest): void {
    this.become(request, 'waiting');
  }

  /** Marks the outcome unknown. No other write may claim a record that appears later. */
  leaveOpen(request: PlannedRequest): void {
    this.become(request, 'open');
  }

  /** Returns the first matching record if it certainly belongs to the write. */
  claim(request: PlannedRequest, looked: Looked): Match {
    const { footprint, values, isGuard, kind } = looked;
    const likenesses = this.likenesses(looked);
    const sure = this.sure(looked, likenesses);
    const [latest] = sure;
    if (!latest) {
      const alike = [...likenesses.keys()];
      // A record with the write's own reference belongs to no other write.
      const unclear = values.reference ? alike : alike.filter((record) => this.isFree(record, looked));
      return { ...NO_MATCH, unclear, isDoubtful: unclear.length > 0 };
    }
    if (values.reference) return this.give(latest, looked);
    const own = this.writeOf(request);
    const inOtherRuns = this.rivalsElsewhere(request, looked, sure);
    const rivals = [...this.rivals(request, looked, sure), ...inOtherRuns];
    // If several writes can share a record, those of other loop iterations don't compete.
    const compete = isExclusive(footprint) && !isGuard;
    const elsewhere = compete ? this.taken.unplacedElsewhere(keysOf(looked, sure)) : 0;
    const isOfNode = kind !== 'existed' && keysOf(looked, sure).some((key) => this.taken.isOfOtherNode(key));
    const mayBeOfOther = compete && (looked.hasEqualElsewhere === true || isOfNode);
    const isAlone = elsewhere === 0 && !mayBeOfOther && !(compete && this.taken.isCut);
    // The records of two executions must not be exchanged, even if their writes are identical.
    const isOfRun = kind === 'existed' || inOtherRuns.length === 0;
    // If more records match than the node knows writes, another client may have created one of them.
    const isKnown = kind === 'existed' || sure.length <= rivals.length + 1;
    const areEqual =
      isAlone && isKnown && rivals.every((rival) => own !== undefined && contentOf(rival) === contentOf(own));
    // If the responses to identical writes were lost, the first look-up gets the record, and the other writes search
    // on.
    const counted = kind === 'lost' ? rivals.filter(({ state }) => state !== 'lost') : rivals;
    if (isOfRun && areEqual && counted.length < sure.length) return this.give(latest, looked);
    // A person may not be able to resolve the other write first, so the node trusts a person's finding about this one.
    const isResolved = mayBeOfOther && request.options.unknownOutcome !== 'resend';
    return {
      unclear: sure,
      isDoubtful: !isResolved && sure.length > elsewhere + rivals.filter(({ state }) => state === 'done').length,
      isPending: rivals.some(({ state }) => PENDING.includes(state)),
    };
  }

  /**
   * Returns a record that may match the write, so that the node must not send it. Another write may have created the
   * record, or its time may be unreadable.
   */
  doubtful({ values, footprint, records, since, isGuard }: Omit<Looked, 'kind'>): IDataObject | undefined {
    const { list, time, occupies, applied } = footprint;
    return candidates(records, footprint, values).find((record) => {
      const isOccupied = occupies?.(record, values) === true && applied?.(record) !== 'different';
      const isAlike = isOccupied || likenessOf(footprint, record, values) !== 'different';
      if (!isAlike || this.isTaken(asText(record[list.identity]), !isGuard && isExclusive(footprint))) return false;
      const at = time?.(record);
      return since === undefined || at === undefined || at >= since.at;
    });
  }

  /**
   * Returns the existing records that match the write, and the values of other, unsent payments that may match one of
   * the records. The values lack `source`.
   */
  contest(request: PlannedRequest, looked: Looked): { records: IDataObject[]; others: WriteValues[] } {
    const { footprint } = looked;
    const records = this.sure(looked, this.likenesses(looked));
    if (records.length === 0 || !isExclusive(footprint)) return { records, others: [] };
    const others = [...new Set(keysOf(looked, records).flatMap((key) => this.byUserKey.get(key) ?? []))]
      .filter((other) => this.writeOf(other)?.state === 'waiting' && !isSamePayment(request, other))
      .map((other) => withoutReference(originalRequest(other).values))
      .filter((values) => mayBeOf(records, footprint, values));
    return { records, others };
  }

  private sure(looked: Looked, likenesses: Map<IDataObject, Likeness>): IDataObject[] {
    return [...likenesses.keys()].filter((one) => likenesses.get(one) === 'equal' && this.isFree(one, looked));
  }

  private give(record: IDataObject, { footprint, values, kind }: Looked): Match {
    const id = idOf(record, footprint, values);
    this.take(id);
    // Another execution may look for an equal write before this item ends.
    const { newestBy, identity } = footprint.list;
    if (kind !== 'existed' && newestBy !== undefined) this.others.owns(this.run, identity, id);
    return { ...NO_MATCH, record: withoutDetails(record, footprint) };
  }

  /** Returns the records that may belong to the write, with their likeness. Without a time, a record is no proof. */
  private likenesses({ footprint, records, values, since }: Looked): Map<IDataObject, Likeness> {
    const found = candidates(records, footprint, values)
      .filter((record) => idOf(record, footprint, values) !== '')
      .filter((record) => since === undefined || !isBeforeCutoff(record, footprint, since))
      .map((record): [IDataObject, Likeness] => {
        const isNew = since === undefined || isAfterCutoff(record, footprint, since);
        return [record, likenessOfAll([likenessOf(footprint, record, values), isNew ? 'equal' : 'notShown'])];
      });
    return new Map(found.filter(([, likeness]) => likeness !== 'different'));
  }

  /**
   * Returns whether a record belongs to no other write. An existing record may belong to another execution, unless it
   * shows the write's own reference.
   */
  private isFree(record: IDataObject, { footprint, values, isGuard, kind }: Looked): boolean {
    const id = idOf(record, footprint, values);
    const isOwn = kind === 'existed' || values.reference !== undefined;
    const { newestBy, identity } = footprint.list;
    const isOfOther = () => this.others.isOwned(this.run, identity, id) || this.taken.isOfOtherNode(id);
    const isOthers = !isOwn && newestBy !== undefined && isOfOther();
    return !isOthers && !this.isTaken(id, !isGuard && isExclusive(footprint));
  }

  /** Returns the run's other writes that may have created one of the records. */
  private rivals(request: PlannedRequest, looked: Looked, records: IDataObject[]): Write[] {
    const states: readonly State[] = looked.kind === 'earlier' ? ['waiting', ...SENT] : SENT;
    const own = this.writeOf(request);
    return keysOf(looked, records)
      .flatMap((key) => states.flatMap((state) => [...(this.byKey.get(key)?.get(state) ?? [])]))
      .filter((write) => write !== own && mayBeOf(records, looked.footprint, write.values));
  }

  /**
   * Returns other runs' writes that may have created one of the records. A write with the same key of Once per Key is
   * an attempt at the same payment.
   */
  private rivalsElsewhere(request: PlannedRequest, looked: Looked, records: IDataObject[]): Write[] {
    if (looked.footprint.list.newestBy === undefined) return [];
    const since = looked.since?.at.toMillis() ?? 0;
    const once = this.onceOf(request);
    const keys = keysOf(looked, records).map((key) => sharedKey(request, key));
    return [...keys, routeOf(request)]
      .flatMap((key) => this.others.rivals(this.run, key, since))
      .filter(
        (write) => (once === undefined || write.once !== once) && mayBeOf(records, looked.footprint, write.values),
      );
  }

  private become(request: PlannedRequest, state: State): void {
    const { footprint } = request.operation;
    if (!footprint) return;
    const { values } = originalRequest(request);
    const write = this.writes.get(values) ?? this.newWrite(request, footprint, state);
    this.writes.set(values, write);
    this.among(write.key, write.state).delete(write);
    write.state = state;
    this.among(write.key, state).add(write);
    if (state === 'inFlight') this.others.sends(this.run, write);
    if (!SENT.includes(state)) this.others.forget(write);
    if (state === 'open' || state === 'done') this.taken.keepUnplaced(request, write.key);
    else this.taken.forgetUnplaced(request);
  }

  private newWrite(request: PlannedRequest, footprint: Footprint, state: State): Write {
    const { values } = originalRequest(request);
    const once = this.onceOf(request);
    const key = footprint.key(values);
    const shared = request.operation.shape ? routeOf(request) : sharedKey(request, key);
    const userKey = values.reference ? footprint.key(withoutReference(values)) : key;
    const requests = this.byUserKey.get(userKey) ?? [];
    this.byUserKey.set(userKey, requests);
    requests.push(request);
    return { values, key, shared, state, ...(once !== undefined && { once }) };
  }

  private onceOf({ options: { oncePerKey } }: PlannedRequest): string | undefined {
    return oncePerKey === undefined ? undefined : JSON.stringify([this.context.getWorkflow().id, oncePerKey]);
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

  /** Returns whether a write's record already belongs to another item of the execution. */
  isOfOther(request: PlannedRequest, id: string): boolean {
    const { footprint } = request.operation;
    const owner = footprint && this.others.ownerOf(identified(request, footprint).identity, id);
    const isOfNode = owner !== undefined && owner.node !== this.run.node && owner.execution === this.run.execution;
    return this.isTaken(id) || (isOfNode && owner.execution !== undefined);
  }

  /** Returns whether a record belongs to an item of this node in the execution. */
  isTaken(id: string, inExecution = true): boolean {
    return this.taken.has(id, inExecution);
  }
}

/** Name under which this process's runs find an operation's writes that could have created the same record. */
const sharedKey = ({ operation: { value, request } }: PlannedRequest, key: string): string =>
  JSON.stringify([request?.operationId ?? value, key]);

/** Name under which other operations find API Requests that could have created their records. */
const routeOf = ({ method, path }: PlannedRequest): string => `${method} ${path}`;

/** Returns the list's fields. An API Request that moves money creates a transaction. */
function identified(request: PlannedRequest, { list }: Footprint): Pick<Listing, 'identity' | 'newestBy'> {
  const made = request.operation.shape && madeId(request);
  return made === undefined ? list : { identity: made, newestBy: made };
}

const mayBeOf = (records: IDataObject[], footprint: Footprint, values: WriteValues): boolean =>
  records.some((record) => likenessOf(footprint, record, values) !== 'different');

/** Returns a record without the details that only the comparison needs. */
function withoutDetails(record: IDataObject, { details }: Footprint): IDataObject {
  if (!details || !(details.name in record)) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== details.name));
}

/** Returns a record's ID, or the write's key if it has none. */
const idOf = (record: IDataObject, { list, key }: Footprint, values: WriteValues) =>
  asText(record[list.identity]) || (list.newestBy === undefined ? key(values) : '');

/** Returns the keys of all writes that could have created one of the records. */
const keysOf = ({ footprint, values }: Looked, records: IDataObject[]): string[] => [
  ...new Set([footprint.key(values), ...records.flatMap((record) => footprint.keysOf?.(record) ?? [])]),
];

/** Identical writes create identical records, so any pairing is correct. */
const contentOf = (write: Write): string =>
  (write.content ??= createHash('sha256').update(JSON.stringify(write.values)).digest('base64'));
