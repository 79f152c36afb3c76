import type { IExecuteFunctions } from 'n8n-workflow';

/** Part of n8n's helpers that keeps hashes in n8n's database (n8n.md#deduplication-helper). */
export type KeyStore = Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord' | 'removeProcessed'>;

/** Whether a row belongs to a node or to a whole workflow. */
type Scope = 'node' | 'workflow';

/** Limit for the keys of a row, about 270 kB. n8n removes the oldest keys first. */
export const MOST_KEYS = 10_000;
/**
 * Maximum number of removals that wait while other keys are recorded. After n8n was killed, the writes with these keys
 * count as unfinished.
 */
const MOST_LATE = 50;

/** Returns keys to remove again before another caller can find them. @param added the keys that the row did not contain. */
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
  /** Whether the key only needs to be read in the row once more. */
  isLeaving: boolean;
}

const rows = new Map<string, KeyRow>();

/**
 * Writes the keys of one row. n8n reads and writes a row as a whole, so two simultaneous calls would lose each other's
 * keys. This class therefore makes one call at a time, and keys that arrive during a call share the next one. Another
 * process can still overwrite keys, so each call records the keys of writes in progress again.
 */
export class KeyRow {
  private orders: Order[] = [];
  private readonly removals = new Map<string, KeyStore>();
  private readonly pinned = new Map<string, Pinned>();
  /** Callbacks that wait until the removals are done. */
  private flushing: Array<() => void> = [];
  private isWorking = false;

  constructor(
    private readonly maxEntries = MOST_KEYS,
    private readonly scope: Scope = 'node',
  ) {}

  /** @param name identifies the row among the rows of all workflows. */
  static of(name: string, scope?: Scope): KeyRow {
    const row = rows.get(name) ?? new KeyRow(MOST_KEYS, scope);
    rows.set(name, row);
    return row;
  }

  /**
   * Records keys.
   * @returns the keys that the row did not contain. If two callers record the same key, only one of them receives it as
   * new.
   * @throws the error of n8n's database. In that case, no key was recorded.
   */
  async record(store: KeyStore, keys: string[], undo: Undo = () => []): Promise<Set<string>> {
    return await new Promise((resolve, reject) => {
      this.orders.push({ store, keys, undo, resolve, reject });
      this.work();
    });
  }

  /** Removes keys soon. */
  remove(store: KeyStore, keys: string[]): void {
    for (const key of keys) {
      this.pinned.delete(key);
      this.removals.set(key, store);
    }
    this.work();
  }

  /** Records these keys again with every call. @param onLost called when another process has overwritten one of them. */
  pin(keys: string[], onLost: () => void): void {
    for (const key of keys) this.pinned.set(key, { onLost, isLeaving: false });
  }

  /** Whether the key belongs to a write of this process that has no response yet. */
  isPinned(key: string): boolean {
    return this.pinned.get(key)?.isLeaving === false;
  }

  /** Stops recording these keys after they were read in the row once more. */
  unpin(keys: string[]): void {
    for (const key of keys) {
      const pinned = this.pinned.get(key);
      if (pinned) pinned.isLeaving = true;
    }
  }

  /** Waits until the database has all changes. A failed change has the same effect as a kill at this time. */
  async flush(store: KeyStore): Promise<void> {
    const isLeaving = [...this.pinned.values()].some((pinned) => pinned.isLeaving);
    // Orders are recorded in sequence, so all earlier orders are complete after this one.
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
    // Simultaneous orders share one call.
    await Promise.resolve();
    while (this.orders.length + this.removals.size + this.flushing.length > 0) {
      await this.write();
      const [next] = this.orders;
      // Each call reads and writes the whole row. Writes that wait to be sent have priority.
      const canWait = next && !this.isBlocked(next) && this.flushing.length === 0 && this.removals.size < MOST_LATE;
      if (!canWait) await this.removeAll();
    }
    // No order can arrive between the check above and this line.
    this.isWorking = false;
  }

  /** Returns whether a key of the order must be removed first. */
  private isBlocked({ keys }: Order): boolean {
    return keys.some((key) => this.removals.has(key));
  }

  private async write(): Promise<void> {
    const batch: Order[] = [];
    const keys = new Set<string>();
    // Only one of two orders with the same key may get the key. The other order waits for the next call.
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
      // A pinned key was recorded before, even if another process has overwritten it.
      for (const { store, keys: own, undo, resolve } of batch) {
        const missing = new Set(own.filter((key) => added.has(key) && !pinned.has(key)));
        this.remove(store, undo(missing));
        resolve(missing);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /**
   * Tries twice. If two processes write the first keys of a node at the same time, the database refuses one of them.
   */
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
      // The keys stay in the row, so the outcomes of their writes count as unknown.
    }
    for (const resolve of flushing) resolve();
  }

  private get options() {
    return { mode: 'entries', maxEntries: this.maxEntries } as const;
  }
}
