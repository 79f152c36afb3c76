import type { IExecuteFunctions } from 'n8n-workflow';

/** Functions of n8n that record and remove hashes of keys in n8n's database (n8n.md#deduplication-helper). */
export type KeyStore = Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord' | 'removeProcessed'>;

/** Owner of a row in n8n's database: a node or a workflow. */
type Scope = 'node' | 'workflow';

/** Maximum number of keys in a row, about 270 kB. n8n removes the oldest keys first. */
export const MOST_KEYS = 10_000;
/**
 * Maximum number of removals that wait while other keys are recorded. If n8n is killed, the node treats the writes of
 * these keys as unfinished.
 */
const MOST_LATE = 50;

/** Returns the keys to remove before other callers can find them, out of the keys that the row did not contain. */
type Undo = (added: ReadonlySet<string>) => string[];

interface Order {
  store: KeyStore;
  keys: string[];
  undo: Undo;
  resolve: (added: Set<string>) => void;
  reject: (error: unknown) => void;
}

interface Pinned {
  onLost: () => void;
  /** Whether to unpin the key as soon as a call finds it in the row. */
  isLeaving: boolean;
}

const rows = new Map<string, KeyRow>();

/**
 * Records keys in a row of n8n's database. n8n reads and writes a row as a whole, so simultaneous calls would overwrite
 * each other's keys. This class therefore makes one call at a time, and combines the keys that arrive during a call
 * into the next call. Another process can still overwrite keys, so each call also records the pinned keys again.
 */
export class KeyRow {
  private orders: Order[] = [];
  private readonly removals = new Map<string, KeyStore>();
  private readonly pinned = new Map<string, Pinned>();
  /** Callbacks that wait until n8n has removed all keys. */
  private flushing: Array<() => void> = [];
  private isWorking = false;

  constructor(
    private readonly maxEntries = MOST_KEYS,
    private readonly scope: Scope = 'node',
  ) {}

  /** Returns the row with this name, which must be unique among all workflows. */
  static of(name: string, scope?: Scope): KeyRow {
    const row = rows.get(name) ?? new KeyRow(MOST_KEYS, scope);
    rows.set(name, row);
    return row;
  }

  /**
   * Records keys.
   * @returns the keys that the row did not contain. If two callers record the same key, only one caller receives the
   * key.
   * @throws the error of n8n's database, which then recorded no key.
   */
  async record(store: KeyStore, keys: string[], undo: Undo = () => []): Promise<Set<string>> {
    return await new Promise((resolve, reject) => {
      this.orders.push({ store, keys, undo, resolve, reject });
      this.work();
    });
  }

  /** Removes keys in the background. */
  remove(store: KeyStore, keys: string[]): void {
    for (const key of keys) {
      this.pinned.delete(key);
      this.removals.set(key, store);
    }
    this.work();
  }

  /** Records the keys again with every call. Calls `onLost` if another process has overwritten a key. */
  pin(keys: string[], onLost: () => void): void {
    for (const key of keys) this.pinned.set(key, { onLost, isLeaving: false });
  }

  /** Returns whether the key belongs to a write that this process has not completed. */
  isPinned(key: string): boolean {
    return this.pinned.get(key)?.isLeaving === false;
  }

  /** Stops recording the keys again as soon as a call finds them in the row. */
  unpin(keys: string[]): void {
    for (const key of keys) {
      const pinned = this.pinned.get(key);
      if (pinned) pinned.isLeaving = true;
    }
  }

  /** Waits until n8n's database contains all changes. Ignores errors of the database. */
  async flush(store: KeyStore): Promise<void> {
    const isLeaving = [...this.pinned.values()].some((pinned) => pinned.isLeaving);
    // Orders run in sequence, so all earlier orders are complete after this order.
    if (isLeaving || this.orders.length > 0) await this.record(store, []).catch(() => undefined);
    await new Promise<void>((resolve) => {
      this.flushing.push(resolve);
      this.work();
    });
  }

  private work(): void {
    if (this.isWorking) return;
    this.isWorking = true;
    void this.inTurn();
  }

  private async inTurn(): Promise<void> {
    // Waits for orders of other callers, so that simultaneous orders share one call.
    await Promise.resolve();
    while (this.orders.length + this.removals.size + this.flushing.length > 0) {
      await this.write();
      const [next] = this.orders;
      // Recording has priority over removing, because writes wait until their keys are recorded.
      const canWait = next && !this.isBlocked(next) && this.flushing.length === 0 && this.removals.size < MOST_LATE;
      if (!canWait) await this.removeAll();
    }
    // The condition above and this line run synchronously, so no order can arrive between them.
    this.isWorking = false;
  }

  /** Returns whether n8n must first remove a key of the order. */
  private isBlocked({ keys }: Order): boolean {
    return keys.some((key) => this.removals.has(key));
  }

  private async write(): Promise<void> {
    const batch: Order[] = [];
    const keys = new Set<string>();
    // If two orders contain the same key, this call records only the first order. The second order waits for the next
    // call.
    for (let [order] = this.orders; order; [order] = this.orders) {
      if (this.isBlocked(order) || order.keys.some((key) => keys.has(key))) break;
      this.orders.shift();
      batch.push(order);
      for (const key of order.keys) keys.add(key);
    }
    const [first] = batch;
    if (!first) return;
    const pinned = new Map(this.pinned);
    try {
      const added = await this.call(first.store, [...new Set([...pinned.keys(), ...keys])]);
      for (const [key, { onLost }] of pinned)
        if (added.has(key)) onLost();
        else if (this.pinned.get(key)?.isLeaving) this.pinned.delete(key);
      // A pinned key was recorded earlier, so the key isn't new even if another process has overwritten it.
      for (const { store, keys: own, undo, resolve } of batch) {
        const missing = new Set(own.filter((key) => added.has(key) && !pinned.has(key)));
        this.remove(store, undo(missing));
        resolve(missing);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** Calls n8n's database up to twice, because the database refuses one of two simultaneous first calls for a row. */
  private async call(store: KeyStore, keys: string[]): Promise<Set<string>> {
    const record = async () => await store.checkProcessedAndRecord(keys, this.scope, this.options);
    const { new: added } = await record().catch(record);
    return new Set(added.map(String));
  }

  private async removeAll(): Promise<void> {
    const flushing = this.flushing.splice(0);
    const [store] = this.removals.values();
    const keys = [...this.removals.keys()];
    this.removals.clear();
    try {
      await store?.removeProcessed(keys, this.scope, this.options);
    } catch {
      // The keys stay in the row, so a later attempt treats the outcomes of these writes as unknown.
    }
    for (const resolve of flushing) resolve();
  }

  private get options() {
    return { mode: 'entries', maxEntries: this.maxEntries } as const;
  }
}
