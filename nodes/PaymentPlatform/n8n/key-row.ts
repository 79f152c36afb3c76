import type { IExecuteFunctions } from 'n8n-workflow';

/** n8n functions that record and remove hashes of keys in n8n's database (n8n.md#deduplication-helper). */
export type KeyStore = Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord' | 'removeProcessed'>;

type Scope = 'node' | 'workflow';

/** Maximum number of keys in a row, about 270 kB. n8n removes the oldest keys first. */
export const MOST_KEYS = 10_000;
const MOST_LATE = 50;
/** Maximum number of keys that one call looks up. Recording them in a full row removes older keys, so a low maximum limits the loss. */
const MOST_FOUND = 500;

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
  isLeaving: boolean;
}

/**
 * Records keys in a row of n8n's database. n8n writes a row as a whole, so this class makes only one call at a time.
 * Another process can still overwrite keys, so each call also records the keys of unfinished writes again.
 */
export class KeyRow {
  /** Rows of this process, by name. */
  static readonly rows = new Map<string, KeyRow>();

  private orders: Order[] = [];
  private readonly removals = new Map<string, KeyStore>();
  private readonly pinned = new Map<string, Pinned>();
  private flushing: Array<() => void> = [];
  private isWorking = false;

  constructor(
    private readonly maxEntries = MOST_KEYS,
    private readonly scope: Scope = 'node',
  ) {}

  /** Returns the row with this name, which must be unique among all workflows. */
  static of(name: string, scope?: Scope): KeyRow {
    const row = this.rows.get(name) ?? new KeyRow(MOST_KEYS, scope);
    this.rows.set(name, row);
    return row;
  }

  /**
   * Records keys.
   * @returns the new keys. If two callers record the same key, only one caller receives the key.
   * @throws n8n's database error, in which case the keys may not be recorded.
   */
  async record(store: KeyStore, keys: string[], undo: Undo = () => []): Promise<Set<string>> {
    return await new Promise((resolve, reject) => {
      this.orders.push({ store, keys, undo, resolve, reject });
      this.work();
    });
  }

  /** Returns the keys that the row contains. Leaves no new keys. */
  async find(store: KeyStore, keys: string[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (let from = 0; from < keys.length; from += MOST_FOUND) {
      const some = keys.slice(from, from + MOST_FOUND);
      const missing = await this.record(store, some, (added) => [...added]);
      for (const key of some) if (!missing.has(key)) found.add(key);
    }
    return found;
  }

  remove(store: KeyStore, keys: string[]): void {
    for (const key of keys) {
      this.pinned.delete(key);
      this.removals.set(key, store);
    }
    this.work();
  }

  /** Writes the keys again with every call. Calls `onLost` if another process has overwritten a key. */
  pin(keys: string[], onLost: () => void): void {
    for (const key of keys) this.pinned.set(key, { onLost, isLeaving: false });
  }

  /** Returns whether the key belongs to a write that this process has not completed. */
  isPinned(key: string): boolean {
    return this.pinned.get(key)?.isLeaving === false;
  }

  /** Stops rewriting keys as soon as a call finds them in the row. */
  unpin(keys: string[]): void {
    for (const key of keys) {
      const pinned = this.pinned.get(key);
      if (pinned) pinned.isLeaving = true;
    }
  }

  /** Waits until n8n's database contains all changes. Ignores database errors. */
  async flush(store: KeyStore): Promise<void> {
    const isLeaving = [...this.pinned.values()].some((pinned) => pinned.isLeaving);
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
    await Promise.resolve();
    while (this.orders.length + this.removals.size + this.flushing.length > 0) {
      await this.write();
      const [next] = this.orders;
      const canWait = next && !this.isBlocked(next) && this.flushing.length === 0 && this.removals.size < MOST_LATE;
      if (!canWait) await this.removeAll();
    }
    this.isWorking = false;
  }

  private isBlocked({ keys }: Order): boolean {
    return keys.some((key) => this.removals.has(key));
  }

  private async write(): Promise<void> {
    const batch: Order[] = [];
    const keys = new Set<string>();
    // If two queued calls contain the same key, the second call waits until the first call has ended.
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
      // The node recorded these keys earlier, so they aren't new even if another process has overwritten them.
      for (const { store, keys: own, undo, resolve } of batch) {
        const missing = new Set(own.filter((key) => added.has(key) && !pinned.has(key)));
        this.remove(store, undo(missing));
        resolve(missing);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** n8n's database refuses one of two simultaneous first calls for a row, so the node calls it again. */
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
