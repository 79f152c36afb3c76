import type { IExecuteFunctions } from 'n8n-workflow';

import { ExecutionAccount, ExecutionMarks } from './execution-marks';
import { KeyRow, type KeyStore } from './key-row';
import { isSaved, KEY_DONE, KEY_NOT_KEPT, WORKFLOW_NOT_SAVED } from './once-per-key';
import { wasReleased, WriteKeys, type OnceKeys, type WriteKey } from './write-keys';
import { isTool, lineageOf, type Lineage } from '../n8n/lineage';
import { placeOf, sharesOf } from '../model/item-steps';
import type { Obstacle, EarlierTry, WriteOutcome } from '../model/write-memory';
import type { Failure } from '../model/failure';
import type { Account, PlannedRequest } from '../model/types';

/** Limit for the reads after a key of Once per Key was recorded. A read takes a millisecond, and a few are enough. */
const MOST_LOOKS = 5;

/** The node's context says under this name that the database has the account. n8n stores the context with the execution. */
const CONTEXT_KEY = 'paymentPlatformAccountRecorded';

type Kept = { [CONTEXT_KEY]?: true | undefined };

/** Hint for a run whose writes n8n's database can't keep. */
const NOT_SAVED =
  "This workflow is not saved, so n8n could not record the sent items in its database. If n8n stops during such a run, the node can't tell which items were sent. Save the workflow before it moves money.";

/** Keys of a write that this run recorded in a row. */
interface Recorded {
  row: KeyRow;
  store: KeyStore;
  all: string[];
  /** Keys to remove when the write is done. */
  open: string[];
  /** Keys to remove when the write was not applied. */
  own: string[];
}

/**
 * Digests of writes in n8n's database. The node records each write before it sends it, and again when its outcome is known.
 * So a retry after a kill, a second retry of an execution and another worker find the writes that were begun. A second row
 * keeps the keys of Once per Key for all executions of the workflow.
 */
export class DatabaseKeys {
  private readonly row: KeyRow;
  private readonly onceRow: KeyRow;
  private readonly onceStore: KeyStore;
  private readonly marks: ExecutionMarks;
  /** Recorded keys of writes in progress, by place. */
  private readonly recorded = new Map<string, Recorded[]>();
  /** Recorded keys of writes of this run whose outcome is unknown, by place. */
  private readonly unknown = new Map<string, Recorded[]>();
  /** Places of the writes that this run asked about. */
  private readonly asked = new Set<string>();
  private isMissing: boolean;
  private wasKeyUsed = false;
  /** The last write that asked. */
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
    this.onceRow = KeyRow.of(`keys of ${workflowId}`);
    this.onceStore = {
      checkProcessedAndRecord: async (all, _, options) => await store.checkProcessedAndRecord(all, 'workflow', options),
      removeProcessed: async (all, _, options) => await store.removeProcessed(all, 'workflow', options),
    };
    this.marks = new ExecutionMarks(this.row, store, lineage, account, keys.isTool || lineage.recordsContent);
    this.isMissing = !isSaved(workflowId);
  }

  /** Opens the keys of the node's current run. */
  static open(context: IExecuteFunctions, account: Account, requests: PlannedRequest[]): DatabaseKeys {
    const lineage = lineageOf(context);
    const keys = new WriteKeys(context, account, lineage, requests);
    const own = new ExecutionAccount(context, account);
    const { id, ...node } = context.getNode();
    const kept: Kept = isTool(node) ? {} : context.getContext('node');
    return new DatabaseKeys(context.helpers, lineage, keys, own, kept, context.getWorkflow().id, id);
  }

  /** Hint for a person if n8n's database keeps nothing of this workflow. */
  get hint(): string | undefined {
    return this.isMissing ? NOT_SAVED : undefined;
  }

  /** Whether an earlier attempt of the execution may have recorded a write. A tool has no items that it does not send. */
  get isRetry(): boolean {
    return this.lineage.isRetry && !this.keys.isTool;
  }

  /** Whether this run asked about the write. */
  hasAsked(request: PlannedRequest): boolean {
    return this.asked.has(placeOf(request));
  }

  /**
   * Records the account of the execution before anything is sent, so that a retry knows the account even if n8n was killed
   * before the first write. Later rounds of a loop don't record it again. If the database fails, the first write records it.
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
   * Records a write that is about to be sent. Writes get their answers in the order in which they ask, so they are sent in
   * the order of the items.
   * @param attempt identifies the attempts that a person had sent again.
   * @returns the obstacle that an earlier attempt left, if any.
   * @throws if n8n's database can't record the write. Then it must not be sent, because a later attempt would not find it.
   */
  async begin(request: PlannedRequest, attempt: string): Promise<Obstacle | undefined> {
    const before = this.last;
    const recording = this.recordWrite(request, attempt);
    this.last = Promise.allSettled([before, recording]);
    await before;
    return await recording;
  }

  /** Returns the obstacle that an earlier attempt of the execution left of a write that this attempt does not send. */
  async earlier(request: PlannedRequest, attempt: string): Promise<Obstacle | undefined> {
    if (!this.lineage.isRetry) return undefined;
    const obstacle = await this.begin(request, attempt);
    if (!obstacle) this.settle(request, 'refused');
    return obstacle;
  }

  /**
   * Records the item's key of Once per Key.
   * @param isOpen whether an earlier attempt stays unknown, whatever the outcome of this one is.
   * @returns nothing if the write may be sent, that its key is begun, or the failure.
   */
  async beginKey(request: PlannedRequest, attempt: string, isOpen: boolean): Promise<'keyBegun' | Failure | undefined> {
    return await this.withKey(request, async (keys) => {
      const { key, open, own } = keys;
      const added = await this.onceRow.record(this.onceStore, [key, own, open]);
      const isUnknown = !added.has(open);
      const isDone = !isUnknown && !added.has(key);
      // If a person had the write sent again, the earlier attempt is no obstacle.
      if (!isDone && !(isUnknown && !wasReleased(attempt))) return await this.keepKey(request, keys, isOpen);
      this.onceRow.remove(this.onceStore, [...added]);
      return isDone ? KEY_DONE : 'keyBegun';
    });
  }

  /** Records the key of an item that is done without a request. @returns the failure if the database did not keep it. */
  async recordKeyDone(request: PlannedRequest): Promise<Failure | undefined> {
    return await this.withKey(request, async ({ key, open }) => {
      for (let look = 0; look < MOST_LOOKS; look += 1) {
        if ((await this.onceRow.record(this.onceStore, [key])).has(key)) continue;
        this.onceRow.remove(this.onceStore, [open]);
        return undefined;
      }
      return KEY_NOT_KEPT;
    });
  }

  /** Settles the keys of a write whose attempt has ended. If the outcome is unknown, they stay as they are. */
  settle(request: PlannedRequest, outcome: WriteOutcome): void {
    for (const share of sharesOf(request)) {
      const place = placeOf(share);
      const recorded = this.recorded.get(place);
      if (!recorded) continue;
      for (const { row, store, all, open, own } of recorded) {
        if (outcome !== 'unknown') row.remove(store, outcome === 'done' ? open : own);
        row.unpin(all);
      }
      this.recorded.delete(place);
      if (outcome === 'unknown') this.unknown.set(place, recorded);
    }
  }

  /** Records that a write of unknown outcome was applied, because its record was found or a person says so. */
  recordApplied(request: PlannedRequest): void {
    for (const share of sharesOf(request))
      for (const { row, open } of this.unknown.get(placeOf(share)) ?? [])
        if (row === this.row) row.remove(this.store, open);
    void this.withKey(request, async ({ key, open }) => {
      await this.onceRow.record(this.onceStore, [key]);
      this.onceRow.remove(this.onceStore, [open]);
      return undefined;
    });
  }

  /** Waits until both rows contain all changes. */
  async end(): Promise<void> {
    if (this.marks.isUsed) await this.row.flush(this.store);
    if (this.wasKeyUsed) await this.onceRow.flush(this.onceStore);
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
    // Both questions also make the next attempt ask about the account again.
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
      this.keep(request, { row: this.row, store: this.store, all, open, own: all }, this.marks.cut);
      this.marks.count();
    }
    return obstacle;
  }

  /** @param found the write's keys that were there before. */
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
    // A person who released the item knew that its keys may be missing. Another question would never end.
    const isReleased = !isTool && wasReleased(attempt);
    return !isReleased && (await this.marks.areCut()) ? 'forgotten' : undefined;
  }

  /**
   * Returns what a write depends on: the account unless a person confirmed it, and the credential's secret if only the
   * content identifies the write.
   */
  private askedOf(request: PlannedRequest, attempt: string): { account: boolean; secret: boolean } {
    const secret = this.keys.isTool || (this.lineage.asksContent && !wasReleased(attempt));
    return { account: !this.marks.isConfirmed(request), secret };
  }

  private keep(request: PlannedRequest, recorded: Recorded, onLost: () => void): void {
    const place = placeOf(request);
    this.recorded.set(place, [...(this.recorded.get(place) ?? []), recorded]);
    recorded.row.pin(recorded.all, onLost);
  }

  /** Reads the keys again, because another process may have overwritten them, or may have begun the same key. */
  private async keepKey(
    request: PlannedRequest,
    { key, open, own }: OnceKeys,
    isOpen: boolean,
  ): Promise<'keyBegun' | Failure | undefined> {
    const [row, store, all] = [this.onceRow, this.onceStore, [key, own, open]];
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const lost = await row.record(store, all);
      if (lost.size === 0) {
        this.keep(request, { row, store, all, open: [open, own], own: isOpen ? [own] : all }, () => undefined);
        return undefined;
      }
      if (lost.has(key)) continue;
      row.remove(store, [own]);
      return 'keyBegun';
    }
    row.remove(store, all);
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

/** Whether n8n's database does not contain the workflow. */
const isForeign = (error: unknown) => error instanceof Error && /foreign key/i.test(error.message);
