import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { amountOf } from '../model/read-amounts';
import { type Digests, ELSEWHERE, Origins } from './write-keys';
import { ExecutionAccount } from './execution-marks';
import { EqualShares } from './equal-shares';
import { currentRound, decisionNames, earliestSending } from '../n8n/lineage';
import { itemStepsOf, placeOf, sharesOf, sentReferences } from '../model/operation';
import {
  isOpen,
  type Evidence,
  type Finished,
  type Obstacle,
  type Remembered,
  type WriteMemory,
} from '../model/write-memory';
import {
  differingFields,
  encodeFields,
  entriesByItem,
  finished,
  hasStepsAfter,
  indexOfAccount,
  isNeverSent,
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
import { asText, toCents } from '../shared/objects';
import type { Account, PlannedRequest, PartialFailure } from '../model/types';

/** Name in the node's context, which n8n passes to every later attempt (n8n.md#memory). */
const CONTEXT_KEY = 'paymentPlatformWrites';

/**
 * Stores the results and unknown outcomes of a run's writes, so that no retry sends a write twice. The memory contains
 * keyed digests, never requests. A write is identified by its loop iteration, item and step. A retry matches a write if
 * the request, or the parameters and input items, are equal. The second comparison is needed because an expression such
 * as $now changes the request. If both differ, the node refuses the item until a person approves another attempt.
 */
export class ExecutionMemory implements WriteMemory {
  private readonly groups = new Map<PlannedRequest, string>();
  private readonly digests: Digests;
  private byItem?: Map<string, MemoryEntry[]>;
  private equal?: EqualShares;
  /** Cents of the writes that another attempt is sending now, by position. */
  private readonly underWay = new Map<string, number>();
  /** Positions of the writes that n8n's database refuses because of another account. */
  private readonly ofOtherAccount = new Set<string>();

  private constructor(
    private readonly store: Store,
    private readonly runKey: string,
    private readonly origins: Origins,
    private readonly context: IExecuteFunctions,
    private readonly account: ExecutionAccount,
  ) {
    this.digests = origins.digests;
  }

  static open(context: IExecuteFunctions, account: Account): ExecutionMemory {
    const kept: { [CONTEXT_KEY]?: Store } = context.getContext('node');
    const store = (kept[CONTEXT_KEY] ??= { accounts: [], runs: {} });
    const own = new ExecutionAccount(context, account);
    const origins = Origins.ofRun(context, account);
    return new ExecutionMemory(store, String(currentRound(context).number), origins, context, own);
  }

  /** Stores the account of the first attempt. Does nothing in a retry. */
  withAccount(): this {
    if (this.context.getMode() !== 'retry') this.store.account ??= this.account.mark;
    return this;
  }

  /** Moves stored writes to their items' new positions after an edit changed the order. */
  followItems(requests: PlannedRequest[]): void {
    // The run asks again which writes another attempt is sending.
    delete this.store.underWay?.[this.runKey];
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
    if (!known && this.underWay.has(placeOf(request))) return UNDER_WAY;
    if (!known && this.ofOtherAccount.has(placeOf(request))) return this.account.other;
    if (!known) return this.account.obstacle(this.store.account, request);
    if (known.outcome === 'done') return known;
    const code = 'code' in known && known.code !== undefined ? this.enteredCode(request) : undefined;
    const finding = code === undefined ? undefined : request.options.resolved?.get(code);
    if (finding === 'applied') return this.confirmed(request, code);
    if (finding === 'notApplied') return this.release(request, code);
    // Otherwise, the write may be done, in progress in another execution, or different from this write.
    return this.mayRepeat(known) && request.options.unknownOutcome === 'resend' ? undefined : known;
  }

  /** If this run contains every item that earlier attempts began, an item at another one's position is new. */
  private mayRepeat(known: Remembered): boolean {
    const isOther = known.outcome === 'unknown' && known.evidence === 'otherContent';
    return isOpen(known) || (isOther && currentRound(this.context).missing === 0);
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
    const equal = !entry || entry.notApplied || isNeverSent(entry) ? this.knownOfEqual(request) : undefined;
    if (equal || !entry || entry.notApplied) return equal;
    const code = this.codeOf(request, entry);
    if (this.store.accounts[entry.account ?? 0] !== this.digests.account) return { outcome: 'unrecognisable', code };
    const { sent } = entry;
    if (isSameWrite(entry, this.digestsOf(request)))
      return finished(entry) ?? { outcome: 'unknown', code, evidence: this.evidenceOf(request, entry), sent };
    const differs = differingFields(this.run(), entry.fields, encodeFields(this.run(), this.digests.fields(request)));
    return { outcome: 'edited', code, differs, finished: finished(entry), sent };
  }

  /** An expression such as $now can change the payment although the item stays the same. */
  private evidenceOf(request: PlannedRequest, { evidence, payment }: MemoryEntry): Evidence | undefined {
    const isOpenStill = isOpen({ outcome: 'unknown', evidence });
    return isOpenStill && payment !== this.digests.payment(request) ? 'otherValues' : evidence;
  }

  /** Returns whether an earlier attempt sent another payment than the item has now. */
  private isOther(request: PlannedRequest, entry: MemoryEntry): boolean {
    const { payment } = entry;
    return payment ? payment !== this.digests.payment(request) : !isSameWrite(entry, this.digestsOf(request));
  }

  /** Returns the state of an identical object that another item sent. */
  private knownOfEqual(request: PlannedRequest): Remembered | undefined {
    const { entry, done } = this.equalEntry(request) ?? {};
    if (done || !entry) return done;
    const { evidence, sent } = entry;
    return { outcome: 'unknown', code: this.codeOf(request, entry), evidence, sent };
  }

  private equalEntry(request: PlannedRequest): { entry: MemoryEntry; done?: Finished } | undefined {
    if (!request.isSentOnce) return undefined;
    this.equal ??= new EqualShares(this.run().entries);
    return this.equal.find(this.digests.request(request), placeOf(request));
  }

  sending(request: PlannedRequest): undefined {
    this.store.account ??= this.account.mark;
    for (const share of sharesOf(request)) this.keep(share, this.enter(share));
  }

  private enter(request: PlannedRequest, cents = centsOf(request)): MemoryEntry {
    const before = this.entryOf(request);
    const sent = sentReferences(request);
    const again = before && (before.records || isNeverSent(before)) ? undefined : before;
    this.countUnderWay(request);
    this.count(cents);
    return {
      ...this.newEntry(request, before),
      cents: cents > 0 ? cents : undefined,
      sent,
      payment: this.digests.payment(request),
      // Keeps the time of an earlier attempt, whose record may still appear.
      sentAt: again?.sentAt ?? Date.now(),
      openAttempts: again && !again.notApplied ? (again.openAttempts ?? 0) + 1 : undefined,
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
    // The node found the record of a write that a person stated was not applied. The amount counts toward the limit.
    const cents = known?.notApplied ? known.cents : undefined;
    const unmoved = (!entry.partialFailure && partialFailure?.unmovedCents) || 0;
    this.count((cents ?? 0) - unmoved);
    this.keep(request, {
      ...entry,
      cents: (cents ?? entry.cents ?? 0) - unmoved || undefined,
      sentAt: undefined,
      sent: undefined,
      payment: undefined,
      evidence: undefined,
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
      const { openAttempts = 0, ...rest } = entry;
      if (openAttempts > 0)
        this.keep(share, { ...rest, openAttempts: openAttempts > 1 ? openAttempts - 1 : undefined });
      else if (entry.releases) this.keep(share, { ...rest, notApplied: true });
      else delete this.run().entries[placeOf(share)];
    }
  }

  attempt(request: PlannedRequest): string {
    const entry = this.entryOf(request);
    const number = entry && isNeverSent(entry) ? 0 : (entry?.releases ?? 0) + this.openAttempts(request);
    return `${number}.0${entry?.elsewhere ? ELSEWHERE : ''}`;
  }

  addEvidence(request: PlannedRequest, evidence: Obstacle): Remembered | undefined {
    if (evidence === 'otherAccount') {
      this.ofOtherAccount.add(placeOf(request));
      return this.account.other;
    }
    // The outcome of the other attempt will be known, so n8n stores only the amount.
    if (evidence === 'underWay') {
      this.countUnderWay(request, centsOf(request));
      return UNDER_WAY;
    }
    const isOther = evidence === 'otherCredential';
    const earlier = isOther ? 'begun' : evidence;
    const isOfOther = evidence === 'otherValues' || evidence === 'doneOther';
    // The node doesn't know the amount that the attempt sent, so it may have used up the limit.
    const least = isOfOther ? toCents(request.options.limitPerExecution ?? 0) : 0;
    const entered = this.enter(request, Math.max(centsOf(request), least));
    // Later steps need this step's result, so a step without a stored result isn't done.
    const isKnown = (evidence === 'done' || evidence === 'doneOther') && !hasStepsAfter(request);
    const values = evidence === 'doneOther' ? {} : undefined;
    this.keep(request, {
      ...entered,
      sentAt: earliestSending(this.context),
      evidence: earlier,
      sent: evidence === 'otherValues' ? undefined : entered.sent,
      elsewhere: evidence === 'otherContent' ? true : entered.elsewhere,
      account: isOther ? indexOfAccount(this.store, evidence) : entered.account,
      records: isKnown ? ofEach(request, { done_by_earlier_try: true }, values) : undefined,
    });
    return this.recall(request);
  }

  sentAt(request: PlannedRequest): number | undefined {
    const entry = request.shares ? undefined : this.entryOf(request);
    return entry?.records ? undefined : entry?.sentAt;
  }

  /** Returns the reference that an earlier attempt sent. */
  referenceOf(request: PlannedRequest, field: string): string | undefined {
    const entry = this.entryOf(request);
    if (!entry || !isSameWrite(entry, this.digestsOf(request))) return undefined;
    const { [field]: reference } = entry.sent ?? {};
    return reference === undefined ? undefined : asText(reference);
  }

  reopen(request: PlannedRequest): Remembered | undefined {
    const entry = this.entryOf(request);
    if (entry?.notApplied) {
      this.count(entry.cents ?? 0);
      this.keep(request, { ...entry, notApplied: undefined });
    }
    return this.known(request);
  }

  openAttempts(request: PlannedRequest): number {
    const attempts = sharesOf(request).map((share) => {
      const entry = this.entryOf(share);
      return !entry || entry.notApplied ? 0 : (entry.openAttempts ?? 0) + (entry.records ? 0 : 1);
    });
    return Math.max(0, ...attempts);
  }

  /** Returns whether a code of the option Resolve Items resolved an attempt of this execution. */
  hasResolved(code: string): boolean {
    const entries = Object.values(this.store.runs).flatMap((run) => Object.values(run.entries));
    return this.account.codes.includes(code) || entries.some(({ resolvedBy }) => resolvedBy === code);
  }

  end(complete: boolean): void {
    if (complete) delete this.store.runs[this.runKey];
  }

  get movedCents(): number {
    return Object.values(this.store.underWay ?? {}).reduce((sum, cents) => sum + cents, this.store.moved ?? 0);
  }

  /** @param cents missing if no other attempt is sending the write now. */
  private countUnderWay(request: PlannedRequest, cents?: number): void {
    const place = placeOf(request);
    const before = this.underWay.get(place) ?? 0;
    if (cents === undefined) this.underWay.delete(place);
    else this.underWay.set(place, cents);
    if (before === 0 && !cents) return;
    const all = (this.store.underWay ??= {});
    all[this.runKey] = (all[this.runKey] ?? 0) + (cents ?? 0) - before;
  }

  private count(cents: number): void {
    if (cents !== 0) this.store.moved = (this.store.moved ?? 0) + cents;
  }

  /** Completes an item after a person resolves it as applied. */
  private confirmed(request: PlannedRequest, resolvedBy?: string): Finished {
    const before = this.entryOf(request);
    const latest = this.latestOf(request);
    // The item may have other values than the attempt that the person looked up.
    const sent = latest && isNeverSent(latest) ? {} : latest?.sent;
    const records = latest?.records ?? ofEach(request, { confirmed_by_person: true }, sent ?? {});
    const isOtherPayment = (latest && this.isOther(request, latest)) || undefined;
    const entry = { cents: before?.cents, records, byWord: true, isOtherPayment, resolvedBy } as const;
    this.keep(request, { ...this.newEntry(request, before), ...entry });
    return { outcome: 'done', records, byWord: true, isOtherPayment };
  }

  /** Allows another attempt at an item after a person resolves it as not applied. */
  private release(request: PlannedRequest, resolvedBy?: string): undefined {
    const entry = this.entryOf(request);
    if (!entry) return;
    // A person confirmed that an attempt without a result moved nothing, so the total excludes its amount.
    const { sentAt, sent, payment, cents } = entry.records ? {} : entry;
    this.count(-(cents ?? 0) * this.openAttempts(request));
    // Each attempt has its own number, whether a person entered a code or chose Send Again.
    const attempts = isNeverSent(entry) ? 0 : Math.max(1, this.openAttempts(request));
    const releases = (entry.releases ?? 0) + attempts || undefined;
    const released = { sentAt, sent, payment, cents, releases, elsewhere: entry.elsewhere, resolvedBy };
    this.keep(request, { ...this.newEntry(request), ...released, notApplied: true });
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
      elsewhere: before?.elsewhere,
      resolvedBy: before?.resolvedBy,
      sentWith: request.whole && this.groupOf(request.whole),
    };
  }

  private digestsOf(request: PlannedRequest): WriteDigests {
    return { request: this.digests.request(request), origin: this.origins.of(request) };
  }

  /** Returns `MemoryEntry.sentWith`, so that a shared request's objects get the same code. */
  private groupOf(whole: PlannedRequest): string {
    const known = this.groups.get(whole) ?? `${placeOf(whole.shares?.[0] ?? whole)} ${this.digests.request(whole)}`;
    this.groups.set(whole, known);
    return known;
  }

  /** Returns the code of the latest attempt, if a person entered it. */
  private enteredCode(request: PlannedRequest): string | undefined {
    const { resolved } = request.options;
    const entry = this.latestOf(request);
    return resolved && entry && this.codesOf(request, entry).find((one) => resolved.has(one));
  }

  /** Returns the entry of the write, or of an identical object in another item. */
  private latestOf(request: PlannedRequest): MemoryEntry | undefined {
    const entry = this.entryOf(request);
    const own = entry?.notApplied ? undefined : entry;
    return own && !isNeverSent(own) ? own : (this.equalEntry(request)?.entry ?? own);
  }

  private codeOf(request: PlannedRequest, entry: MemoryEntry): string {
    return this.codesOf(request, entry)[0] ?? '';
  }

  /**
   * Returns the codes with which a person can resolve the latest attempt, the current code first. A code belongs to one
   * attempt at one item of one node and execution with one key.
   */
  private codesOf({ options, ...request }: PlannedRequest, entry: MemoryEntry): string[] {
    const { request: own, releases = 0, openAttempts = 0, sentWith, resolvedBy } = entry;
    const [whole, digest = own] = sentWith?.split(' ') ?? [placeOf({ options, ...request })];
    const place = whole?.replace(/\.0$/, '');
    // All items of a shared request have one code, even if another item began at an item's position.
    const state = [releases, openAttempts, resolvedBy, !sentWith && isNeverSent(entry)];
    const attempt = [this.context.getNode().id, this.runKey, place, digest, options.oncePerKey, ...state];
    return decisionNames(this.context).map((name) => `${place}-${this.digests.code(['code', name, ...attempt])}`);
  }
}

const UNDER_WAY: Remembered = { outcome: 'unknown', evidence: 'underWay' };

const centsOf = (request: PlannedRequest): number => toCents(amountOf(request) ?? 0);
