import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import {
  ExecutionAccount,
  ExecutionMarks,
  Obstacles,
  RecentKeys,
  RECORDED,
  type EarlierPayment,
  type Kept,
  type Recent,
} from './execution-marks';
import {
  busyKey,
  RENEWED_AFTER_MS,
  unproven,
  untilMs,
  witnessOf,
  KeyRow,
  type Claim,
  type KeyStore,
} from '../n8n/key-row';
import { OncePerKey } from './once-per-key';
import { lacksReference } from './make-reference';
import { doneKey, isForeign, severalKeys, WriteKeys, type SentReferences, type WriteKey } from './write-keys';
import { earliestSending, isSaved, isTool, lineageOf, type Lineage } from '../n8n/lineage';
import { placeOf, sharesOf } from '../model/operation';
import type { Obstacle, WriteOutcome } from '../model/write-memory';
import type { Account, PlannedRequest } from '../model/types';

const NOT_SAVED =
  "This workflow is not saved, so n8n could not record the sent items in its database. If n8n stops during such a run, the node can't tell which items were sent. Save the workflow before it moves money.";

const OVERWRITTEN = 'Other processes overwrite the keys';

/** Keys that this run added for one write. */
interface Recorded {
  attempt: string;
  all: string[];
  content: string[];
  /** Keys of the write's record and of its payment, which equal writes share. */
  shared: string[];
  /** Key of the payment. Missing if the write makes no payment in Production. */
  recent?: string | undefined;
  /** Keys that show that the write is under way, until a time or the write's end. */
  busy: string[];
  /** Keys whose witnesses are in the workflow's row (`Claim.witness`), the attempt's own key last. */
  claimed?: string[];
  /** Time of recording in Unix milliseconds. */
  at: number;
  /** Until when other processes see the write under way, in Unix milliseconds. */
  until: number;
}

/**
 * Records each write in n8n's database before the node sends the write, and updates the keys when the outcome is known.
 * If n8n is killed, a retry or another worker still finds the begun writes, unless n8n has removed the oldest keys.
 */
export class DatabaseKeys {
  private readonly marks: ExecutionMarks;
  private readonly obstacles: Obstacles;
  private readonly recent: RecentKeys;
  private readonly recorded = new Map<string, Recorded>();
  private readonly unknown = new Map<string, Recorded>();
  /** Positions of the writes under way, by shared key that this run added and may remove. */
  private readonly sharing = new Map<string, Set<string>>();
  private readonly asked = new Set<string>();
  private readonly releasing: Array<Promise<void>> = [];
  /** Latest look-up (`earlier`) with each key of `contentKeys`. */
  private readonly looking = new Map<string, Promise<unknown>>();
  private isMissing: boolean;
  private once?: OncePerKey;
  private comparing?: Promise<void>;
  /** Rejects if a retry could expect other references than this run sends. */
  private marked: Promise<void> = Promise.resolve();
  /** Resolves after all earlier writes of the run are recorded. */
  private last: Promise<unknown> = Promise.resolve();
  /** Resolves after late writes have freed their keys (`refuseLate`), which the next attempt may need. */
  private refusing: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly row: KeyRow,
    private readonly workflowRow: KeyRow,
    private readonly store: KeyStore,
    private readonly lineage: Lineage,
    private readonly keys: WriteKeys,
    account: ExecutionAccount,
    private readonly kept: Kept,
    private readonly timeoutMs: number,
    private readonly openOncePerKey: () => OncePerKey,
    since: number,
    workflowId: string | undefined,
  ) {
    this.marks = new ExecutionMarks(row, store, lineage, account, since, kept, keys.run);
    this.obstacles = new Obstacles(row, store, lineage, keys, this.marks, kept);
    this.recent = new RecentKeys(row, store, this.marks, keys);
    this.isMissing = !isSaved(workflowId);
  }

  /** @param timeoutMs time limit of a request. */
  static open(
    context: IExecuteFunctions,
    account: Account,
    requests: PlannedRequest[],
    timeoutMs: number,
  ): DatabaseKeys {
    const lineage = lineageOf(context);
    const keys = new WriteKeys(context, account, lineage, requests);
    const own = new ExecutionAccount(context, account);
    const kept: Kept = isTool(context.getNode()) ? {} : context.getContext('node');
    const once = () => new OncePerKey(context, keys, timeoutMs);
    const since = earliestSending(context);
    const { id: workflow } = context.getWorkflow();
    const rows = [KeyRow.ofNode(context), KeyRow.ofWorkflow(context)] as const;
    return new DatabaseKeys(...rows, context.helpers, lineage, keys, own, kept, timeoutMs, once, since, workflow);
  }

  /** Hint if n8n's database can't store the keys. */
  get hint(): string | undefined {
    return this.isMissing ? NOT_SAVED : undefined;
  }

  /** Keys of the option Once per Key. */
  get oncePerKey(): OncePerKey {
    return (this.once ??= this.openOncePerKey());
  }

  /** Whether an earlier attempt may exist (n8n.md#queue-mode). Always false for a tool. */
  get mayBeRetry(): boolean {
    return this.lineage.asked.size > 0 && !this.keys.isTool;
  }

  /**
   * Adds the node's own reference to the bodies of requests that have a field for one, unless the user entered a
   * reference. Each attempt at an item sends the same reference. Call this function once in each run.
   */
  async giveReferences(requests: PlannedRequest[], memory?: SentReferences): Promise<void> {
    const wanted = requests.filter((request) => request.operation.reference && lacksReference(request));
    if (wanted.length > 0 && !this.isMissing)
      this.marked = this.keys.references.check(this.row, this.store, this.mayBeRetry);
    await this.marked.catch(() => undefined);
    for (const request of wanted) this.keys.giveReference(request, memory);
    this.keys.countEqual();
  }

  /** Returns the payment of another execution that a payment repeats, after `begin`. */
  earlierPayment(request: PlannedRequest): EarlierPayment | undefined {
    return this.recent.earlier(request);
  }

  hasAsked(request: PlannedRequest): boolean {
    return this.asked.has(placeOf(request));
  }

  /** Records the account before the first request, so that a retry finds it even if n8n is killed. */
  async recordAccount([first]: PlannedRequest[]): Promise<void> {
    if (!first || this.isMissing || this.kept[RECORDED]) return;
    await this.recordKeys([], first).catch(() => undefined);
  }

  /**
   * Records a write before the node sends it, in the order of the items.
   * @param attempt result of `WriteMemory.attempt`.
   * @param isLook whether the node records the write only to look it up, and then removes its keys.
   * @returns the reason not to send the write, if any.
   * @throws if n8n's database fails. The node must then not send the write.
   */
  async begin(request: PlannedRequest, attempt: string, isLook = false): Promise<Obstacle | undefined> {
    const before = this.last;
    // This item would otherwise find the keys of an equal item's look-up.
    const looks = this.contentKeys(request, attempt).map((key) => this.looking.get(key)?.catch(() => undefined));
    // A look-up that ends late leaves its keys for a moment.
    const free = Promise.all(looks).then(async () => await this.refusing);
    const recording = free.then(async () => await this.recordWrite(request, attempt, isLook));
    this.last = Promise.allSettled([before, recording]);
    await before;
    return await recording;
  }

  /** Returns the reason not to send a write that an earlier attempt began. Doesn't mark the write as begun. */
  async earlier(request: PlannedRequest, attempt: string): Promise<Obstacle | undefined> {
    if (this.lineage.asked.size === 0) return undefined;
    const looking = this.begin(request, attempt, true).then((obstacle) => {
      if (!obstacle) this.settle(request, 'refused');
      return obstacle;
    });
    for (const key of this.contentKeys(request, attempt)) this.looking.set(key, looking);
    return await looking;
  }

  /** Returns the keys that show a retry the item's content if n8n 1 lost the context. Equal items share these keys. */
  private contentKeys(request: PlannedRequest, attempt: string): string[] {
    if (!this.lineage.asksContent) return [];
    return this.keys.of(request, attempt).flatMap(({ kind, key }) => (kind === 'bare' ? [key] : []));
  }

  /**
   * Extends the time for which other processes see that a write is under way, if the node sends it late.
   * @returns false if another process began another attempt in the meantime. The node must then not send the write.
   * @throws if n8n's database fails. The node must then not send the write.
   */
  async renew(request: PlannedRequest): Promise<boolean> {
    let isOwn = false;
    let isOwnKey = false;
    try {
      for (const [share, recorded] of this.due(request)) if (!(await this.extend(share, recorded))) return false;
      isOwn = true;
      isOwnKey = (await this.once?.renew(request)) ?? true;
      return isOwnKey;
    } finally {
      if (!isOwn) this.leaveToOthers(request);
      // The other process that used the key has its own entry in the journal.
      else if (!isOwnKey) this.once?.leaveToOthers(request);
    }
  }

  /**
   * Returns whether a write with the same record may have begun in a later loop iteration or another execution.
   * @param since start of the search in Unix milliseconds. If missing, leaves out the other executions.
   */
  async hasEqualElsewhere(request: PlannedRequest, since?: number): Promise<boolean> {
    if (this.isMissing) return false;
    try {
      // n8n may have removed keys of other executions too.
      if (since !== undefined && (await this.marks.areCut())) return true;
      return (await this.row.find(this.store, this.keys.equalElsewhere(request, since))).size > 0;
    } catch {
      return true;
    }
  }

  /**
   * Updates the keys after an attempt. If the outcome is unknown, the keys stay unchanged.
   * @param isSent whether the node sent the write, or found that it isn't necessary.
   */
  settle(request: PlannedRequest, outcome: WriteOutcome, isSent = true): void {
    if (outcome === 'refused' && this.isLate(request))
      this.refusing = Promise.all([this.refusing, this.refuseLate(request)]);
    else this.settleNow(request, outcome, isSent);
  }

  /** Frees the keys of a late write only if no other process began another attempt, which needs the same keys. */
  private async refuseLate(request: PlannedRequest): Promise<void> {
    await this.renew(request).catch(() => false);
    this.settleNow(request, 'refused', false);
  }

  /** Returns whether other processes may soon begin another attempt, or have begun it. */
  private isLate(request: PlannedRequest): boolean {
    const ends = sharesOf(request).flatMap((share) => this.recorded.get(placeOf(share))?.until ?? []);
    return Math.min(...ends, this.once?.endOf(request) ?? Infinity) < Date.now() + RENEWED_AFTER_MS;
  }

  private settleNow(request: PlannedRequest, outcome: WriteOutcome, isSent: boolean): void {
    this.once?.settle(request, outcome);
    for (const share of sharesOf(request)) {
      const place = placeOf(share);
      const recorded = this.recorded.get(place);
      if (!recorded) continue;
      const { all, shared, busy, recent, claimed = [] } = recorded;
      const isByPerson = recent !== undefined && this.keys.isByPerson;
      const unpaid = outcome === 'done' && !isSent ? recent : undefined;
      if (outcome === 'refused') this.discard(place, recorded);
      else {
        for (const key of shared) if (key !== unpaid) this.sharing.delete(key);
        this.endClaim(claimed, false);
      }
      if (unpaid !== undefined) this.discard(place, { shared: [unpaid] });
      // In other executions, one more call would remove the keys that are no longer necessary.
      if (outcome === 'done') this.row.add(this.store, this.proofs(recorded), isByPerson ? busy : []);
      if (outcome === 'unknown') this.row.remove(this.store, busy);
      this.row.unpin([...all, ...shared, ...busy]);
      this.recorded.delete(place);
      if (outcome === 'unknown') this.unknown.set(place, recorded);
    }
  }

  /**
   * Updates the keys of a write of unknown outcome that the service applied.
   * @param byDatabase whether only the journal shows this.
   */
  recordApplied(request: PlannedRequest, byDatabase?: boolean): void {
    for (const share of sharesOf(request)) {
      const recorded = this.unknown.get(placeOf(share));
      if (recorded) this.row.add(this.store, this.proofs(recorded));
    }
    if (request.options.oncePerKey !== undefined) this.oncePerKey.recordApplied(request, byDatabase);
  }

  /** Waits until n8n's database contains all changes. */
  async end(): Promise<void> {
    await this.refusing;
    while (this.releasing.length > 0) await Promise.all(this.releasing.splice(0));
    if (this.marks.isUsed) for (const row of [this.row, this.workflowRow]) await row.flush(this.store);
    await this.once?.end();
  }

  /** Returns the keys that show that a write is done. */
  private proofs({ content, recent }: Recorded): string[] {
    return [...content, ...(recent !== undefined && this.keys.isByPerson ? [recent] : [])].map(doneKey);
  }

  /** Returns the writes whose time must be extended. */
  private due(request: PlannedRequest): Array<[PlannedRequest, Recorded]> {
    return sharesOf(request).flatMap((share): Array<[PlannedRequest, Recorded]> => {
      const recorded = this.recorded.get(placeOf(share));
      return recorded && Date.now() - recorded.at >= RENEWED_AFTER_MS ? [[share, recorded]] : [];
    });
  }

  private async extend(request: PlannedRequest, recorded: Recorded): Promise<boolean> {
    const { attempt, content } = recorded;
    const until = untilMs(this.timeoutMs);
    // The new key shows whether another process overwrites the keys.
    const busy = [...content.map((key) => busyKey(key, until)), randomUUID()];
    // Records the keys twice, because another process that looks for the keys removes them if it recorded them first.
    const recent = recorded.recent === undefined ? [] : this.keys.recent(request).slice(0, 1);
    const missing = await this.row.record(this.store, [...busy, ...recent]);
    const shared = this.share(placeOf(request), recent, missing);
    this.row.pin(shared, this.marks.cut);
    Object.assign(recorded, { shared: [...recorded.shared, ...shared], recent: recent[0] });
    if ((await this.row.keep(this.store, busy, { shared: [], isContended: true })) === 'lost')
      throw new Error(OVERWRITTEN);
    this.row.pin(busy, () => undefined);
    const isLate = Date.now() > recorded.until;
    Object.assign(recorded, { busy: [...recorded.busy, ...busy], at: Date.now(), until });
    const next = this.keys.ofNeighbor(request, attempt, 1);
    return !isLate || (await this.row.find(this.store, next)).size === 0;
  }

  /** Leaves the keys unchanged, because they may belong to another process. */
  private leaveToOthers(request: PlannedRequest): void {
    this.once?.leaveToOthers(request);
    for (const share of sharesOf(request)) {
      const { all = [], shared = [], busy = [] } = this.recorded.get(placeOf(share)) ?? {};
      this.row.unpin([...all, ...shared, ...busy]);
      this.recorded.delete(placeOf(share));
    }
  }

  private async recordWrite(request: PlannedRequest, attempt: string, isLook: boolean): Promise<Obstacle | undefined> {
    if (this.isMissing) return undefined;
    const recent = await this.recent.of(request);
    const payment = recent.keys.slice(0, 1).map((key): WriteKey => ({ kind: 'recent', key }));
    const keys = [...this.keys.of(request, attempt), ...payment];
    const of = (wanted: WriteKey['kind']) => keys.flatMap(({ kind, key }) => (kind === wanted ? [key] : []));
    const content = of('content');
    const until = untilMs(this.timeoutMs);
    // Several retries or tool calls may begin the same attempt in different processes.
    const own = this.lineage.asked.size > 0 ? [randomUUID()] : [];
    const busy = [...content.map((key) => busyKey(key, until)), ...own, ...recent.claim];
    // Only the attempt that begins the write may record what it sends. Another one could be killed before it removes the
    // keys.
    const sent = own.length > 0 ? of('sent') : [];
    const early = keys.filter(({ key }) => !sent.includes(key));
    this.comparing ??= this.obstacles.compare();
    const recording = Promise.all([this.comparing, this.marked]).then(
      async () => await this.recordKeys(early, request, busy, recent.looks),
    );
    const missing = await recording.catch((error: unknown) => {
      if (!isForeign(error)) throw error;
      this.isMissing = true;
    });
    this.asked.add(placeOf(request));
    if (!missing) return undefined;
    const isShared = (kind: WriteKey['kind']) => kind === 'shown' || kind === 'owner' || kind === 'recent';
    const added = keys.filter(({ key, kind }) => missing.has(key) && kind !== 'equal');
    const all = added.flatMap(({ kind, key }) => (isShared(kind) ? [] : [key]));
    const recorded: Recorded = {
      attempt,
      all,
      content,
      shared: this.share(
        placeOf(request),
        keys.flatMap(({ kind, key }) => (isShared(kind) ? [key] : [])),
        missing,
      ),
      recent: recent.keys[0],
      busy: busy.filter((key) => missing.has(key)),
      at: Date.now(),
      until,
    };
    const considered = async (): Promise<Obstacle | undefined> => {
      await this.recent.find(request, recent, missing, (key) => this.sharing.has(key));
      const obstacle = await this.obstacles.find(request, attempt, keys, missing);
      if (obstacle) this.discard(placeOf(request), recorded);
      else if (!isLook) await this.recordSeveral(request, attempt, keys, missing);
      if (obstacle) return obstacle;
      if (own.length === 0) return await this.hold(request, recorded, recent);
      const isContended = this.lineage.isRetry || this.keys.isTool;
      const asked = keys.filter(({ kind, name = '' }) => kind === 'content' && this.lineage.asked.has(name));
      // If n8n lost the context, two retries of an execution have different names.
      const shared = this.lineage.asksContent ? of('bare') : asked.map(({ key }) => key);
      const claim = { shared, own, later: sent, isContended, witness: isContended ? this.workflowRow : undefined };
      return await this.contend(request, recorded, claim, recent);
    };
    return await considered().catch(async (error: unknown) => {
      // Without this attempt's mark, the keys may belong to another process.
      const isKnown = own.length === 0 || recorded.claimed !== undefined;
      const isOwn = isKnown || (await this.row.findProofs(this.store, own).catch(() => new Set())).size > 0;
      if (isOwn) this.discard(placeOf(request), { ...recorded, all: [...recorded.all, ...sent] });
      throw error;
    });
  }

  /** @returns the shared keys that this run added. */
  private share(place: string, keys: string[], missing: ReadonlySet<string>): string[] {
    return keys.flatMap((key) => {
      if (missing.has(key)) this.sharing.set(key, new Set());
      return this.sharing.get(key)?.add(place) ? [key] : [];
    });
  }

  /** Removes the keys of a write that has no record. */
  private discard(place: string, recorded: Partial<Recorded>): void {
    const { all = [], shared = [], busy = [], claimed = [] } = recorded;
    const over = shared.filter((key) => {
      const places = this.sharing.get(key);
      places?.delete(place);
      return places?.size === 0;
    });
    this.endClaim(claimed, true);
    this.row.remove(this.store, [...all, ...over, ...busy]);
  }

  /** @param isFree whether another process may begin the same attempt. */
  private endClaim(claimed: string[], isFree: boolean): void {
    const witnesses = claimed.map(witnessOf);
    const [own] = witnesses.slice(-1);
    if (own === undefined) return;
    const release = async () => await this.workflowRow.release(this.store, witnesses, own);
    if (isFree) this.releasing.push(release().catch(() => undefined));
    else this.workflowRow.remove(this.store, [own]);
  }

  /** Another write may have recorded some keys, and removes them if the service refuses it. */
  private async recordSeveral(
    request: PlannedRequest,
    attempt: string,
    keys: WriteKey[],
    missing: ReadonlySet<string>,
  ): Promise<void> {
    const found = keys.filter(({ key, name = '' }) => !missing.has(key) && !this.lineage.asked.has(name));
    const isFound = (wanted: WriteKey['kind']) => found.some(({ kind }) => kind === wanted);
    const content = found.flatMap(({ kind, key }) => (kind === 'content' ? [key] : []));
    const isOther = isFound('shown') && (!isFound('owner') || content.length > 0);
    const several = [
      ...(isOther ? severalKeys(keys) : []),
      ...severalKeys(found, 'bare'),
      // Executions that begin in the same millisecond record the same keys.
      ...content.map((key) => unproven(doneKey(key))),
      ...(content.length > 0 ? this.keys.ofOtherPlace(request, attempt).map(({ key }) => key) : []),
    ];
    if (several.length > 0) await this.row.record(this.store, several);
  }

  /** Returns whether another process began the same attempt or still sends the previous attempt. */
  private async contend(
    request: PlannedRequest,
    recorded: Recorded,
    claim: Claim,
    recent: Recent,
  ): Promise<'underWay' | undefined> {
    const { attempt, all, busy } = recorded;
    const kept = await this.row.keep(this.store, [...all, ...busy], claim);
    if (kept === 'other' || kept === 'begun') return 'underWay';
    const { shared, own = [], later = [], witness } = claim;
    if (kept === 'this')
      Object.assign(recorded, { all: [...all, ...later], claimed: witness ? [...shared, ...own] : [] });
    if (kept === 'this' && !(await this.isBusyBefore(request, attempt)))
      return await this.hold(request, recorded, recent);
    if (kept === 'lost') throw new Error(OVERWRITTEN);
    this.discard(placeOf(request), recorded);
    return 'underWay';
  }

  /** The earlier attempt's process may have extended its time (`renew`). */
  private async isBusyBefore(request: PlannedRequest, attempt: string): Promise<boolean> {
    for (const content of this.keys.ofNeighbor(request, attempt, -1))
      if (await this.row.isBusy(this.store, content)) return true;
    return false;
  }

  private async hold(request: PlannedRequest, recorded: Recorded, recent: Recent): Promise<undefined> {
    const keys = [...recorded.all, ...recorded.shared];
    // A pinned key can't show that another process has overwritten it.
    if (!(await this.recent.contend(request, recent, keys))) throw new Error(OVERWRITTEN);
    this.recorded.set(placeOf(request), recorded);
    this.row.pin(keys, this.marks.cut);
    this.row.pin(recorded.busy, () => undefined);
    this.marks.renew();
  }

  private async recordKeys(
    keys: WriteKey[],
    request: PlannedRequest,
    busy: string[] = [],
    looks: string[] = [],
  ): Promise<Set<string>> {
    const all = [...keys.map(({ key }) => key), ...busy];
    const missing = await this.marks.record(all, this.marks.isConfirmed(request), looks);
    if (await this.marks.areFirst()) this.kept[RECORDED] = true;
    return missing;
  }
}
