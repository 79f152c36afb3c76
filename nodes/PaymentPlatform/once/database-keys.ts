import type { IExecuteFunctions } from 'n8n-workflow';

import { countMissing } from './begun-places';
import { ExecutionAccount, ExecutionMarks } from './execution-marks';
import { KeyRow, type KeyStore } from '../n8n/key-row';
import { KEY_DONE, KEY_NOT_KEPT, WORKFLOW_NOT_SAVED } from './once-per-key';
import { wasReleased, WriteKeys, type OnceKeys, type WriteKey } from './write-keys';
import { isSaved, isTool, lineageOf, type Lineage } from '../n8n/lineage';
import { placeOf, sharesOf } from '../model/item-steps';
import type { Obstacle, EarlierTry, WriteMemory, WriteOutcome } from '../model/write-memory';
import type { Failure } from '../model/failure';
import type { Account, PlannedRequest } from '../model/types';

/** Maximum number of attempts to record a key of Once per Key while other processes overwrite the key. */
const MOST_LOOKS = 5;

/**
 * Flag in the node's context. The first attempt sets the flag once n8n's database contains the account. If the flag is
 * missing in a retry, n8n lost the context of the first attempt.
 */
const CONTEXT_KEY = 'paymentPlatformAccountRecorded';

type Kept = { [CONTEXT_KEY]?: true | undefined };

const NOT_SAVED =
  "This workflow is not saved, so n8n could not record the sent items in its database. If n8n stops during such a run, the node can't tell which items were sent. Save the workflow before it moves money.";

/** Keys that this run added to a database row for one write. */
interface Recorded {
  row: KeyRow;
  all: string[];
  open: string[];
  own: string[];
}

/**
 * Records each write in n8n's database before the node sends the write, and updates the keys when the outcome is known.
 * If n8n is killed, a retry or another worker still finds the writes that an earlier attempt began, unless n8n has
 * removed the oldest keys. A second row contains the keys of Once per Key for all executions of the workflow.
 */
export class DatabaseKeys {
  private readonly row: KeyRow;
  private readonly onceRow: KeyRow;
  private readonly marks: ExecutionMarks;
  private readonly recorded = new Map<string, Recorded[]>();
  private readonly unknown = new Map<string, Recorded[]>();
  private readonly asked = new Set<string>();
  private isMissing: boolean;
  private wasKeyUsed = false;
  private comparing?: Promise<void>;
  /** Resolves after all earlier writes of the run are recorded. */
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly store: KeyStore,
    private readonly lineage: Lineage,
    private readonly keys: WriteKeys,
    account: ExecutionAccount,
    private readonly kept: Kept,
    workflowId: string | undefined,
    nodeId: string,
  ) {
    this.row = KeyRow.of(`${workflowId} ${nodeId}`);
    this.onceRow = KeyRow.of(`keys of ${workflowId}`, 'workflow');
    this.marks = new ExecutionMarks(this.row, store, lineage, account);
    this.isMissing = !isSaved(workflowId);
  }

  static open(context: IExecuteFunctions, account: Account, requests: PlannedRequest[]): DatabaseKeys {
    const lineage = lineageOf(context);
    const keys = new WriteKeys(context, account, lineage, requests);
    const own = new ExecutionAccount(context, account);
    const { id, ...node } = context.getNode();
    const kept: Kept = isTool(node) ? {} : context.getContext('node');
    return new DatabaseKeys(context.helpers, lineage, keys, own, kept, context.getWorkflow().id, id);
  }

  /** Hint if n8n's database can't store the keys of this workflow. */
  get hint(): string | undefined {
    return this.isMissing ? NOT_SAVED : undefined;
  }

  /** Whether an earlier attempt may exist (n8n.md#queue-mode). Always false for a tool. */
  get mayBeRetry(): boolean {
    return this.lineage.asked.size > 0 && !this.keys.isTool;
  }

  hasAsked(request: PlannedRequest): boolean {
    return this.asked.has(placeOf(request));
  }

  /** Records the account before the first request, so that a retry finds it even if n8n is killed. */
  async recordAccount([first]: PlannedRequest[]): Promise<void> {
    if (!first || this.isMissing || this.kept[CONTEXT_KEY]) return;
    await this.recordKeys([], first).catch(() => undefined);
  }

  /**
   * Records a write before the node sends it. Keeps the order of the items.
   * @param attempt result of `WriteMemory.attempt`.
   * @returns the reason not to send the write, if any.
   * @throws if n8n's database fails. The caller must then not send the write.
   */
  async begin(request: PlannedRequest, attempt: string): Promise<Obstacle | undefined> {
    const before = this.last;
    const recording = this.recordWrite(request, attempt);
    this.last = Promise.allSettled([before, recording]);
    await before;
    return await recording;
  }

  /** Returns the reason not to send a write if an earlier attempt began it. Doesn't mark the write as begun. */
  async earlier(request: PlannedRequest, attempt: string): Promise<Obstacle | undefined> {
    if (this.lineage.asked.size === 0) return undefined;
    const obstacle = await this.begin(request, attempt);
    if (!obstacle) this.settle(request, 'refused');
    return obstacle;
  }

  /** Returns whether an earlier attempt may have begun a write of a later loop iteration with the same record. */
  async hasEqualLater(request: PlannedRequest): Promise<boolean> {
    const keys = this.isMissing ? [] : this.keys.nextEqual(request);
    return await this.row.find(this.store, keys).then(
      ({ size }) => size > 0,
      () => true,
    );
  }

  /**
   * Records the item's key for Once per Key.
   * @param memory `openTries` counts the attempts whose outcome stays unknown, even if this attempt is refused.
   * @returns `undefined` if the node may send the write, `keyBegun` if the outcome of another write with the key is
   * unknown, or the failure.
   */
  async beginKey(
    request: PlannedRequest,
    attempt: string,
    memory: Pick<WriteMemory, 'openTries' | 'isKeyReleased'>,
  ): Promise<'keyBegun' | Failure | undefined> {
    return await this.withKey(request, async (keys) => {
      const { key, open, own, ownBefore } = keys;
      const added = await this.onceRow.record(this.store, [key, ...own, open]);
      const isUnknown = !added.has(open);
      const isDone = !isUnknown && !added.has(key);
      // An approval of another attempt at the item doesn't approve an attempt at the write of another execution.
      const isOwn = this.wasApproved(attempt) && ownBefore.some((one) => !added.has(one));
      if (!isDone && (!isUnknown || isOwn || memory.isKeyReleased?.(request)))
        return await this.keepKey(request, keys, memory.openTries(request) > 0);
      this.onceRow.remove(this.store, [...added]);
      return isDone ? KEY_DONE : 'keyBegun';
    });
  }

  /** Records the key of Once per Key for an item that needs no request. Returns the failure, if any. */
  async recordKeyDone(request: PlannedRequest): Promise<Failure | undefined> {
    return await this.withKey(request, async ({ key, open }) => {
      for (let look = 0; look < MOST_LOOKS; look += 1) {
        if ((await this.onceRow.record(this.store, [key])).has(key)) continue;
        this.onceRow.remove(this.store, [open]);
        return undefined;
      }
      return KEY_NOT_KEPT;
    });
  }

  /** Updates the keys of a write after an attempt. If the outcome is unknown, the keys stay unchanged. */
  settle(request: PlannedRequest, outcome: WriteOutcome): void {
    for (const share of sharesOf(request)) {
      const place = placeOf(share);
      const recorded = this.recorded.get(place);
      if (!recorded) continue;
      for (const { row, all, open, own } of recorded) {
        if (outcome !== 'unknown') row.remove(this.store, outcome === 'done' ? open : own);
        row.unpin(all);
      }
      this.recorded.delete(place);
      if (outcome === 'unknown') this.unknown.set(place, recorded);
    }
  }

  /** Updates the keys of a write whose outcome was unknown, because the service applied the write. */
  recordApplied(request: PlannedRequest): void {
    for (const share of sharesOf(request))
      for (const { row, open } of this.unknown.get(placeOf(share)) ?? [])
        if (row === this.row) row.remove(this.store, open);
    void this.withKey(request, async ({ key, open }) => {
      await this.onceRow.record(this.store, [key]);
      this.onceRow.remove(this.store, [open]);
      return undefined;
    });
  }

  /** Waits until n8n's database contains all changes. */
  async end(): Promise<void> {
    if (this.marks.isUsed) await this.row.flush(this.store);
    if (this.wasKeyUsed) await this.onceRow.flush(this.store);
  }

  private async recordWrite(request: PlannedRequest, attempt: string): Promise<Obstacle | undefined> {
    if (this.isMissing) return undefined;
    const keys = this.keys.of(request, attempt);
    this.comparing ??= this.compare();
    const recording = this.comparing.then(async () => await this.recordKeys(keys, request));
    const missing = await recording.catch((error: unknown) => {
      if (!isForeign(error)) throw error;
      this.isMissing = true;
    });
    this.asked.add(placeOf(request));
    if (!missing) return undefined;
    const found = keys.filter(({ key }) => !missing.has(key));
    const obstacle = (await this.earlierTry(found, attempt)) ?? (await this.conflict(request, attempt));
    const all = keys.flatMap(({ kind, key }) => (missing.has(key) && kind !== 'equal' ? [key] : []));
    if (obstacle) this.row.remove(this.store, all);
    else {
      const open = keys.flatMap(({ kind, key }) => (kind === 'open' ? [key] : []));
      this.keep(request, { row: this.row, all, open, own: all }, this.marks.cut);
      this.marks.count();
    }
    return obstacle;
  }

  private async recordKeys(keys: WriteKey[], request: PlannedRequest): Promise<Set<string>> {
    const all = keys.map(({ key }) => key);
    const missing = await this.marks.record(all, this.marks.isConfirmed(request));
    if (await this.marks.areFirst()) this.kept[CONTEXT_KEY] = true;
    return missing;
  }

  private async earlierTry(found: WriteKey[], attempt: string): Promise<EarlierTry | undefined> {
    const { asked, asksContent } = this.lineage;
    const { isTool } = this.keys;
    // Also if this isn't a retry, because an equal call that ends removes the keys of both calls.
    if (isTool && found.some(({ kind, key }) => kind === 'open' && this.row.isPinned(key))) return 'underWay';
    const known = found.filter(({ name }) => name === undefined || asked.has(name));
    const has = (wanted: WriteKey['kind']) => known.some(({ kind }) => kind === wanted);
    if (has('open')) return 'begun';
    if (has('content')) return 'done';
    if (has('place')) return 'otherContent';
    if (asksContent && has('bare')) return 'sameContent';
    // If a person approved another attempt, missing keys don't prevent sending.
    return !this.wasApproved(attempt) && (await this.marks.areCut()) ? 'forgotten' : undefined;
  }

  /** Returns whether a person approved another attempt. Never for a tool, whose attempts count its equal calls. */
  private wasApproved(attempt: string): boolean {
    return !this.keys.isTool && wasReleased(attempt);
  }

  /**
   * Returns whether another account, another secret or a missing item prevents sending. With another secret or content,
   * the node doesn't recognize the writes of earlier attempts unless n8n kept the context, because the execution memory
   * then contains these writes.
   */
  private async conflict(request: PlannedRequest, attempt: string): Promise<Obstacle | undefined> {
    const isConfirmed = this.marks.isConfirmed(request);
    // Both calls remove this attempt's key, so that the next attempt reports the same conflict.
    const isOtherAccount = !isConfirmed && (await this.marks.isOtherAccount());
    const isOtherCredential = await this.marks.isOtherCredential();
    const isByContent = this.keys.isTool || this.lineage.asksContent;
    const isKnown = !isByContent && (isOtherAccount || isConfirmed || this.kept[CONTEXT_KEY] === true);
    const isBlind = !isKnown && !this.wasApproved(attempt);
    const isMissing = (this.keys.round?.missing ?? 0) > 0;
    if (isBlind && isOtherCredential && (isByContent || isMissing)) return 'otherCredential';
    if (isOtherAccount) return 'otherAccount';
    return isBlind && isMissing ? 'otherContent' : undefined;
  }

  /** If n8n lost the context, compares the writes of earlier attempts with the items of this run. */
  private async compare(): Promise<void> {
    const { round } = this.keys;
    if (!round || round.missing !== undefined || this.kept[CONTEXT_KEY]) return;
    const missing = await countMissing(this.row, this.store, this.keys.ofEarlierTries());
    round.missing = (round.missingBefore ?? 0) + missing;
  }

  private keep(request: PlannedRequest, recorded: Recorded, onLost: () => void): void {
    const place = placeOf(request);
    this.recorded.set(place, [...(this.recorded.get(place) ?? []), recorded]);
    recorded.row.pin(recorded.all, onLost);
  }

  /** Reads the keys again, because another process may have overwritten the keys or recorded the same key. */
  private async keepKey(
    request: PlannedRequest,
    { key, open, own }: OnceKeys,
    isOpen: boolean,
  ): Promise<'keyBegun' | Failure | undefined> {
    const [row, all] = [this.onceRow, [key, ...own, open]];
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const lost = await row.record(this.store, all);
      if (lost.size === 0) {
        this.keep(request, { row, all, open: [open, ...own], own: isOpen ? [] : all }, () => undefined);
        return undefined;
      }
      if (lost.has(key)) continue;
      row.remove(this.store, own);
      return 'keyBegun';
    }
    row.remove(this.store, all);
    return KEY_NOT_KEPT;
  }

  private async withKey<Result>(
    request: PlannedRequest,
    task: (keys: OnceKeys) => Promise<Result | Failure>,
  ): Promise<Result | Failure | undefined> {
    if (request.options.oncePerKey === undefined || request.effect === 'reads') return undefined;
    if (this.isMissing) return WORKFLOW_NOT_SAVED;
    this.wasKeyUsed = true;
    try {
      return await task(this.keys.once(request));
    } catch (error) {
      if (!isForeign(error)) return KEY_NOT_KEPT;
      this.isMissing = true;
      return WORKFLOW_NOT_SAVED;
    }
  }
}

/** Returns whether the error shows that n8n's database doesn't contain the workflow. */
const isForeign = (error: unknown) => error instanceof Error && /foreign key/i.test(error.message);
