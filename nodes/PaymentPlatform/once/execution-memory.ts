import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { toCents, amountOf } from '../model/read-amounts';
import { Digests, Origins } from './write-keys';
import { ExecutionAccount } from './execution-marks';
import { EqualShares } from './equal-shares';
import { earliestSending, currentRound } from '../n8n/lineage';
import { itemStepsOf, placeOf, sharesOf } from '../model/item-steps';
import { isOpen, type Finished, type Obstacle, type Remembered, type WriteMemory } from '../model/write-memory';
import {
  differingFields,
  encodeFields,
  entriesByItem,
  finished,
  hasStepsAfter,
  indexOfAccount,
  isSameWrite,
  keepable,
  limitRecords,
  moveEntries,
  ofEach,
  runOf,
  type MemoryEntry,
  type RunMemory,
  type Store,
  type WriteDigests,
} from './memory-entry';
import { KeptRoom } from '../limits/total';
import type { Account, PlannedRequest, PartialFailure } from '../model/types';
import type { Failure } from '../model/failure';

/** Name of the memory in the node's context, which n8n passes to every later attempt (n8n.md#memory). */
const CONTEXT_KEY = 'paymentPlatformWrites';

/**
 * Stores the results and unknown outcomes of a run's writes, so that no retry sends a write twice. The memory contains
 * keyed digests, never requests. A write is identified by its loop iteration, item and step. A retry matches a write if
 * the request, or the parameters and input items, are equal. The second comparison is needed because an expression such
 * as $now changes the request. If both differ, the node refuses the item until a person approves another attempt.
 */
export class ExecutionMemory implements WriteMemory {
  private keptRoom?: KeptRoom;
  private readonly groups = new Map<PlannedRequest, string>();
  private readonly origins: Origins;
  private byItem?: Map<string, MemoryEntry[]>;
  private equal?: EqualShares;

  private constructor(
    private readonly store: Store,
    private readonly runKey: string,
    private readonly digests: Digests,
    private readonly context: IExecuteFunctions,
    private readonly account: ExecutionAccount,
  ) {
    this.origins = new Origins(context, digests);
  }

  static open(context: IExecuteFunctions, account: Account): ExecutionMemory {
    const kept: { [CONTEXT_KEY]?: Store } = context.getContext('node');
    const store = (kept[CONTEXT_KEY] ??= { accounts: [], runs: {} });
    const own = new ExecutionAccount(context, account);
    const digests = new Digests(account, context.getNode().parameters);
    return new ExecutionMemory(store, String(currentRound(context).number), digests, context, own);
  }

  /** Stores the account of the first attempt. Does nothing in a retry. */
  withAccount(): this {
    if (this.context.getMode() !== 'retry') this.store.account ??= this.account.mark;
    return this;
  }

  /** Moves stored writes to the new positions of their items after an edit changed the order of the items. */
  followItems(requests: PlannedRequest[]): void {
    const { entries } = this.store.runs[this.runKey] ?? {};
    if (!entries) return;
    const writes = requests.flatMap(sharesOf).flatMap(itemStepsOf);
    moveEntries(
      entries,
      writes.map((write) => ({ place: placeOf(write), ...this.digestsOf(write) })),
    );
  }

  recall(request: PlannedRequest): Remembered | undefined {
    if (request.shares) return undefined;
    const known = this.known(request);
    if (!known) return this.account.obstacle(this.store.account, request);
    if (known.outcome === 'done') return known;
    const word = request.options.resolved?.get(known.code ?? '');
    if (word === 'applied') return this.confirmed(request);
    if (word === 'notApplied') return this.release(request);
    // A write that isn't open may be done, may be in progress in another execution, or differs from this write.
    return isOpen(known) && request.options.unknownOutcome === 'resend' ? undefined : known;
  }

  standing(item: number): Finished | { outcome: 'unknown' } | undefined {
    this.byItem ??= entriesByItem(this.store.runs[this.runKey]?.entries ?? {});
    const sent = this.byItem.get(String(item)) ?? [];
    if (sent.some(({ records }) => !records)) return { outcome: 'unknown' };
    const last = sent.at(-1);
    return last && finished(last);
  }

  moved(request: PlannedRequest): number {
    const entries = sharesOf(request).map((share) => this.entryOf(share));
    return entries.reduce((sum, entry) => sum + (entry?.notApplied ? 0 : (entry?.cents ?? 0)), 0);
  }

  private known(request: PlannedRequest): Remembered | undefined {
    const entry = this.entryOf(request);
    const equal =
      !entry || entry.notApplied || entry.witness === 'otherContent' ? this.knownOfEqual(request) : undefined;
    if (equal || !entry || entry.notApplied) return equal;
    const code = this.codeOf(request, entry);
    if (this.store.accounts[entry.account ?? 0] !== this.digests.account) return { outcome: 'unrecognisable', code };
    const { witness } = entry;
    if (isSameWrite(entry, this.digestsOf(request))) return finished(entry) ?? { outcome: 'unknown', code, witness };
    const differs = differingFields(this.run(), entry.fields, encodeFields(this.run(), this.digests.fields(request)));
    return { outcome: 'edited', code, differs, finished: finished(entry) };
  }

  /** Returns the state of an identical object that another item sent. */
  private knownOfEqual(request: PlannedRequest): Remembered | undefined {
    if (!request.isSentOnce) return undefined;
    this.equal ??= new EqualShares(this.run().entries);
    const { entry, done } = this.equal.find(this.digests.request(request), placeOf(request)) ?? {};
    if (done || !entry) return done;
    return { outcome: 'unknown', code: this.codeOf(request, entry), witness: entry.witness };
  }

  sending(request: PlannedRequest): Failure | undefined {
    for (const share of sharesOf(request)) {
      const isLimited = this.keptRoom !== undefined || share.options.limitPerExecution !== undefined;
      const over = isLimited ? this.room.take(share, this.movedCents) : undefined;
      if (over) return over;
      this.store.account ??= this.account.mark;
      this.keep(share, this.enter(share));
    }
    return undefined;
  }

  private enter(request: PlannedRequest): MemoryEntry {
    const before = this.entryOf(request);
    const cents = toCents(amountOf(request) ?? 0);
    const again = before?.records ? undefined : before;
    this.count(cents);
    return {
      ...this.newEntry(request, before),
      cents: cents > 0 ? cents : undefined,
      // Keeps the time of an earlier attempt, because that attempt's record may still appear.
      sentAt: again?.sentAt ?? Date.now(),
      openTries: again && !again.notApplied ? (again.openTries ?? 0) + 1 : undefined,
    };
  }

  /** @param records results, with the same number of records for each item. */
  done(request: PlannedRequest, records: IDataObject[], partialFailure?: PartialFailure, omitted?: string[]): void {
    const count = records.length / request.items.length;
    const left = new Map(request.items.map((item, index) => [item, records.slice(index * count, (index + 1) * count)]));
    for (const share of sharesOf(request)) {
      const [item = 0] = share.items;
      this.keepResult(share, request.shares ? (left.get(item) ?? []) : records, partialFailure, omitted);
      left.delete(item);
    }
  }

  private keepResult(
    request: PlannedRequest,
    given: IDataObject[],
    partialFailure?: PartialFailure,
    omitted: string[] = [],
  ): void {
    const { records, left } = keepable(given);
    const withoutSecrets = [...left, ...omitted];
    const known = this.entryOf(request);
    // A step that sent no request has no entry yet.
    const entry = known && !known.notApplied ? known : this.newEntry(request, known);
    // A person stated that the service didn't apply the write, but the node found its record. The amount counts toward
    // the limit.
    const cents = known?.notApplied ? known.cents : undefined;
    this.count(cents ?? 0);
    this.keep(request, {
      ...entry,
      cents: cents ?? entry.cents,
      sentAt: undefined,
      witness: undefined,
      records: limitRecords(this.run(), records, request),
      partialFailure: partialFailure ?? entry.partialFailure,
      withoutSecrets: withoutSecrets.length > 0 ? withoutSecrets : entry.withoutSecrets,
    });
  }

  notApplied(request: PlannedRequest): void {
    for (const share of sharesOf(request)) {
      const entry = this.entryOf(share);
      if (!entry) continue;
      this.count(-(entry.cents ?? 0));
      const { openTries = 0, ...rest } = entry;
      if (openTries > 0) this.keep(share, { ...rest, openTries: openTries > 1 ? openTries - 1 : undefined });
      else if (entry.releases) this.keep(share, { ...rest, notApplied: true });
      else delete this.run().entries[placeOf(share)];
    }
  }

  attempt(request: PlannedRequest): string {
    return `${this.entryOf(request)?.releases ?? 0}.${this.openTries(request)}`;
  }

  witnessed(request: PlannedRequest, witness: Obstacle): Remembered | undefined {
    if (witness === 'otherAccount') return this.account.other;
    const isOther = witness === 'otherCredential';
    const earlier = isOther ? 'begun' : witness;
    const entered = this.enter(request);
    // Later steps need the result of this step, so a step without a stored result isn't done.
    const isKnown = witness === 'done' && !hasStepsAfter(request);
    this.keep(request, {
      ...entered,
      sentAt: earliestSending(this.context, earlier),
      witness: earlier,
      begunKey: witness === 'keyBegun' ? this.keyDigest(request) : undefined,
      account: isOther ? indexOfAccount(this.store, witness) : entered.account,
      records: isKnown ? ofEach(request, { done_by_earlier_try: true }) : undefined,
    });
    return this.recall(request);
  }

  sentAt(request: PlannedRequest): number | undefined {
    const entry = request.shares ? undefined : this.entryOf(request);
    return entry?.records ? undefined : entry?.sentAt;
  }

  reopen(request: PlannedRequest): Remembered | undefined {
    const entry = this.entryOf(request);
    if (entry?.notApplied) {
      this.count(entry.cents ?? 0);
      this.keep(request, { ...entry, notApplied: undefined });
    }
    return this.known(request);
  }

  isKeyReleased(request: PlannedRequest): boolean {
    const { notApplied, begunKey } = this.entryOf(request) ?? {};
    return notApplied === true && begunKey === this.keyDigest(request);
  }

  openTries(request: PlannedRequest): number {
    const tries = sharesOf(request).map((share) => {
      const entry = this.entryOf(share);
      return !entry || entry.notApplied ? 0 : (entry.openTries ?? 0) + (entry.records ? 0 : 1);
    });
    return Math.max(0, ...tries);
  }

  end(complete: boolean): void {
    if (complete) delete this.store.runs[this.runKey];
  }

  /** Amounts reserved against the per-execution limit. */
  get room(): KeptRoom {
    return (this.keptRoom ??= new KeptRoom());
  }

  /** Amount that the node moved or may have moved in this execution, in cents. */
  get movedCents(): number {
    return this.store.moved ?? 0;
  }

  private count(cents: number): void {
    if (cents !== 0) this.store.moved = this.movedCents + cents;
  }

  /** Completes an item after a person states that the service applied the earlier attempt. */
  private confirmed(request: PlannedRequest): Finished {
    const records = ofEach(request, { confirmed_by_person: true });
    const before = this.entryOf(request);
    this.keep(request, { ...this.newEntry(request, before), cents: before?.cents, records, byWord: true });
    return { outcome: 'done', records, byWord: true };
  }

  /** Allows another attempt at an item after a person states that the service didn't apply the earlier attempt. */
  private release(request: PlannedRequest): undefined {
    const entry = this.entryOf(request);
    if (!entry) return;
    // A person confirmed that an attempt without a result moved nothing, so the total must not include its amount.
    const { sentAt, cents, begunKey } = entry.records ? {} : entry;
    this.count(-(cents ?? 0) * this.openTries(request));
    const releases = (entry.releases ?? 0) + 1;
    this.keep(request, { ...this.newEntry(request), sentAt, cents, begunKey, releases, notApplied: true });
  }

  private entryOf(request: PlannedRequest): MemoryEntry | undefined {
    return this.store.runs[this.runKey]?.entries[placeOf(request)];
  }

  private keep(request: PlannedRequest, entry: MemoryEntry): void {
    this.run().entries[placeOf(request)] = entry;
    this.equal?.add(placeOf(request), entry);
  }

  private run(): RunMemory {
    return runOf(this.store, this.runKey);
  }

  private newEntry(request: PlannedRequest, before?: MemoryEntry): MemoryEntry {
    const account = indexOfAccount(this.store, this.digests.account);
    return {
      ...this.digestsOf(request),
      fields: encodeFields(this.run(), this.digests.fields(request)),
      account: account > 0 ? account : undefined,
      inPart: hasStepsAfter(request) || undefined,
      releases: before?.releases,
      sentWith: request.whole && this.groupOf(request.whole),
    };
  }

  private keyDigest({ options }: PlannedRequest): string {
    return this.digests.of(['key', options.oncePerKey]);
  }

  private digestsOf(request: PlannedRequest): WriteDigests {
    return { request: this.digests.request(request), origin: this.origins.of(request) };
  }

  /** Returns `MemoryEntry.sentWith`, so that all objects of a shared request get the same code. */
  private groupOf(whole: PlannedRequest): string {
    const known = this.groups.get(whole) ?? `${placeOf(whole.shares?.[0] ?? whole)} ${this.digests.request(whole)}`;
    this.groups.set(whole, known);
    return known;
  }

  /** Returns the code that a person enters to resolve the latest attempt. Each attempt has its own code. */
  private codeOf(
    request: PlannedRequest,
    { request: own, releases = 0, openTries = 0, sentWith, begunKey }: MemoryEntry,
  ): string {
    const [whole, digest = own] = sentWith?.split(' ') ?? [placeOf(request)];
    const place = whole?.replace(/\.0$/, '');
    const attempt = [this.runKey, place, digest, releases, openTries, ...(begunKey === undefined ? [] : [begunKey])];
    return `${place}-${this.digests.code(['code', ...attempt])}`;
  }
}
