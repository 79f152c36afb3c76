import type { IExecuteFunctions } from 'n8n-workflow';

import { ExecutionAccount, ExecutionMarks } from './execution-marks';
import { KeyRow, type KeyStore } from '../n8n/key-row';
import { KEY_DONE, KEY_NOT_KEPT, WORKFLOW_NOT_SAVED } from './once-per-key';
import { wasReleased, WriteKeys, type OnceKeys, type WriteKey } from './write-keys';
import { isSaved, isTool, lineageOf, type Lineage } from '../n8n/lineage';
import { placeOf, sharesOf } from '../model/item-steps';
import type { Obstacle, EarlierTry, WriteOutcome } from '../model/write-memory';
import type { Failure } from '../model/failure';
import type { Account, PlannedRequest } from '../model/types';

/** Maximum number of attempts to record a key of Once per Key while other processes overwrite the key. */
const MOST_LOOKS = 5;

/** Name of a flag in the node's context. The flag shows that n8n's database contains the account. */
const CONTEXT_KEY = 'paymentPlatformAccountRecorded';

type Kept = { [CONTEXT_KEY]?: true | undefined };

const NOT_SAVED =
  "This workflow is not saved, so n8n could not record the sent items in its database. If n8n stops during such a run, the node can't tell which items were sent. Save the workflow before it moves money.";

/** Deduplication keys that this run recorded for a write in one database row. */
interface Recorded {
  row: KeyRow;
  all: string[];
  /** Keys to remove after the service applied the write. */
  open: string[];
  /** Keys to remove if the service didn't apply the write. */
  own: string[];
}

/**
 * Deduplication keys of writes in n8n's database. The node records the keys of a write before it sends the write, and
 * updates the keys when the outcome is known. After n8n was killed, a retry or another worker therefore finds each
 * write that an earlier attempt began. A second row contains the keys of Once per Key for all executions of the
 * workflow.
 */
export class DatabaseKeys {
  private readonly row: KeyRow;
  private readonly onceRow: KeyRow;
  private readonly marks: ExecutionMarks;
  /** Recorded keys of writes in progress, by position of the write. */
  private readonly recorded = new Map<string, Recorded[]>();
  /** Recorded keys of this run's writes with an unknown outcome, by position of the write. */
  private readonly unknown = new Map<string, Recorded[]>();
  /** Positions of the writes that this run checked for earlier attempts. */
  private readonly asked = new Set<string>();
  private isMissing: boolean;
  private wasKeyUsed = false;
  /** Resolves when the node has recorded all earlier writes of the run. */
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
    this.marks = new ExecutionMarks(this.row, store, lineage, account, keys.isTool || lineage.recordsContent);
    this.isMissing = !isSaved(workflowId);
  }

  /** Opens the deduplication keys for the node's current run. */
  static open(context: IExecuteFunctions, account: Account, requests: PlannedRequest[]): DatabaseKeys {
    const lineage = lineageOf(context);
    const keys = new WriteKeys(context, account, lineage, requests);
    const own = new ExecutionAccount(context, account);
    const { id, ...node } = context.getNode();
    const kept: Kept = isTool(node) ? {} : context.getContext('node');
    return new DatabaseKeys(context.helpers, lineage, keys, own, kept, context.getWorkflow().id, id);
  }

  /** Hint for the user if n8n's database can't store the keys of this workflow. */
  get hint(): string | undefined {
    return this.isMissing ? NOT_SAVED : undefined;
  }

  /** Whether the run is a retry, so that an earlier attempt may have recorded writes. Always false for a tool. */
  get isRetry(): boolean {
    return this.lineage.isRetry && !this.keys.isTool;
  }

  /** Returns whether this run checked the write for earlier attempts. */
  hasAsked(request: PlannedRequest): boolean {
    return this.asked.has(placeOf(request));
  }

  /**
   * Records the account of the execution before the first request, so that a retry finds the account even after a kill
   * of n8n. If the database fails, the first write records the account.
   */
  async recordAccount(first: PlannedRequest, attempt: string): Promise<void> {
    if (this.isMissing || this.kept[CONTEXT_KEY]) return;
    const recorded = this.marks.record([], this.askedOf(first, attempt));
    this.kept[CONTEXT_KEY] = await recorded.then(
      () => true,
      () => undefined,
    );
  }

  /**
   * Records a write before the node sends it. Waits for earlier writes, so that the node keeps the order of the items.
   * @param attempt number of the write's attempt (`WriteMemory.attempt`).
   * @returns the conflict with an earlier attempt, if any.
   * @throws if n8n's database fails. The caller must then not send the write.
   */
  async begin(request: PlannedRequest, attempt: string): Promise<Obstacle | undefined> {
    const before = this.last;
    const recording = this.recordWrite(request, attempt);
    this.last = Promise.allSettled([before, recording]);
    await before;
    return await recording;
  }

  /** Returns the conflict with an earlier attempt for a write that this attempt doesn't send. */
  async earlier(request: PlannedRequest, attempt: string): Promise<Obstacle | undefined> {
    if (!this.lineage.isRetry) return undefined;
    const obstacle = await this.begin(request, attempt);
    if (!obstacle) this.settle(request, 'refused');
    return obstacle;
  }

  /**
   * Records the item's key of Once per Key.
   * @param isOpen whether the outcome of an earlier attempt stays unknown, regardless of this attempt's outcome.
   * @returns `undefined` if the node may send the write, `keyBegun` if another execution began the key, or the failure.
   */
  async beginKey(request: PlannedRequest, attempt: string, isOpen: boolean): Promise<'keyBegun' | Failure | undefined> {
    return await this.withKey(request, async (keys) => {
      const { key, open, own } = keys;
      const added = await this.onceRow.record(this.store, [key, own, open]);
      const isUnknown = !added.has(open);
      const isDone = !isUnknown && !added.has(key);
      // If a person approved another attempt, the unknown outcome of the earlier attempt doesn't prevent sending.
      if (!isDone && !(isUnknown && !wasReleased(attempt))) return await this.keepKey(request, keys, isOpen);
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

  /** Records that a write with an unknown outcome was applied. */
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

  /** Waits until n8n's database contains all changes of both rows. */
  async end(): Promise<void> {
    if (this.marks.isUsed) await this.row.flush(this.store);
    if (this.wasKeyUsed) await this.onceRow.flush(this.store);
  }

  private async recordWrite(request: PlannedRequest, attempt: string): Promise<Obstacle | undefined> {
    this.asked.add(placeOf(request));
    if (this.isMissing) return undefined;
    const keys = this.keys.of(request, attempt);
    const asked = this.askedOf(request, attempt);
    const missing = await this.marks
      .record(
        keys.map(({ key }) => key),
        asked,
      )
      .catch((error: unknown) => {
        if (!isForeign(error)) throw error;
        this.isMissing = true;
      });
    if (!missing) return undefined;
    // Both calls remove the new key, so that the next attempt finds the same conflict.
    const isOtherAccount = asked.account && (await this.marks.isOtherAccount());
    const isOtherCredential = asked.secret && (await this.marks.isOtherCredential());
    const found = keys.filter(({ key }) => !missing.has(key));
    const obstacle =
      (await this.earlierTry(found, attempt)) ??
      (isOtherCredential ? 'otherCredential' : isOtherAccount ? 'otherAccount' : undefined);
    const all = keys.flatMap(({ key }) => (missing.has(key) ? [key] : []));
    if (obstacle) this.row.remove(this.store, all);
    else {
      const open = keys.flatMap(({ kind, key }) => (kind === 'open' ? [key] : []));
      this.keep(request, { row: this.row, all, open, own: all }, this.marks.cut);
      this.marks.count();
    }
    return obstacle;
  }

  /** Returns the state of a write according to the keys that the row already contained (`found`). */
  private async earlierTry(found: WriteKey[], attempt: string): Promise<EarlierTry | undefined> {
    const { asked, asksContent } = this.lineage;
    const { isTool } = this.keys;
    const known = found.filter(({ name }) => name === undefined || asked.has(name));
    const has = (wanted: WriteKey['kind']) => known.some(({ kind }) => kind === wanted);
    if (isTool && known.some(({ kind, key }) => kind === 'open' && this.row.isPinned(key))) return 'underWay';
    if (has('open')) return 'begun';
    if (has('content')) return 'done';
    if (has('place')) return 'otherContent';
    if (asksContent && has('bare')) return 'sameContent';
    // If a person approved another attempt, the node doesn't report again that keys may be missing.
    const isReleased = !isTool && wasReleased(attempt);
    return !isReleased && (await this.marks.areCut()) ? 'forgotten' : undefined;
  }

  /** Returns whether the write requires the account and the credential's secret of earlier attempts. */
  private askedOf(request: PlannedRequest, attempt: string): { account: boolean; secret: boolean } {
    const secret = this.keys.isTool || (this.lineage.asksContent && !wasReleased(attempt));
    return { account: !this.marks.isConfirmed(request), secret };
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
    const [row, all] = [this.onceRow, [key, own, open]];
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const lost = await row.record(this.store, all);
      if (lost.size === 0) {
        this.keep(request, { row, all, open: [open, own], own: isOpen ? [own] : all }, () => undefined);
        return undefined;
      }
      if (lost.has(key)) continue;
      row.remove(this.store, [own]);
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
