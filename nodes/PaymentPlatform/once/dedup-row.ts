import type { IExecuteFunctions } from 'n8n-workflow';

/** The part of n8n's helpers that keeps hashes in n8n's database, one row for a node (n8n.md#deduplication-helper). */
export type JournalStore = Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord' | 'removeProcessed'>;

/** Most keys of a node, about 270 kB; the oldest go first. */
export const MOST_KEYS = 10_000;
/** So many keys may be removed late while others are recorded: after a kill as many writes that are done look as begun. */
const MOST_LATE = 50;
const OPTIONS = { mode: 'entries', maxEntries: MOST_KEYS } as const;

interface Order {
  store: JournalStore;
  keys: string[];
  resolve: (added: Set<string>) => void;
  reject: (error: unknown) => void;
}

interface Held {
  onLost: () => void;
  /** Whether it only has to be seen once more. */
  isLeaving: boolean;
}

const rows = new Map<string, DedupRow>();

/**
 * The keys of one node, as this process writes them. n8n reads and writes the row as a whole, so two calls at once would
 * lose each other's keys: here one call follows the other, and what comes up meanwhile goes with the next. Another
 * process may still write over keys, so those of writes under way are written with every call, and once more at the end.
 */
export class DedupRow {
  private orders: Order[] = [];
  private readonly gone = new Map<string, JournalStore>();
  private readonly held = new Map<string, Held>();
  /** Those who wait until what they had removed is gone. */
  private waiting: Array<() => void> = [];
  private isWorking = false;

  /** @param nodeKey tells the nodes of all workflows apart. */
  static of(nodeKey: string): DedupRow {
    const row = rows.get(nodeKey) ?? new DedupRow();
    rows.set(nodeKey, row);
    return row;
  }

  /**
   * @returns those of `keys` that were not there before: of two who record the same key only one is told that it is new.
   * @throws what n8n's database throws; nothing may count as recorded then.
   */
  async record(store: JournalStore, keys: string[]): Promise<Set<string>> {
    return await new Promise((resolve, reject) => {
      this.orders.push({ store, keys, resolve, reject });
      this.work();
    });
  }

  /** Removes keys before long. */
  forget(store: JournalStore, keys: string[]): void {
    for (const key of keys) {
      this.held.delete(key);
      this.gone.set(key, store);
    }
    this.work();
  }

  /** Writes recorded keys with every call from now on. @param onLost called when another process wrote over one. */
  hold(keys: string[], onLost: () => void): void {
    for (const key of keys) this.held.set(key, { onLost, isLeaving: false });
  }

  /** Whether a write of this process that has no answer yet holds the key. */
  holds(key: string): boolean {
    return this.held.get(key)?.isLeaving === false;
  }

  /** Lets held keys go, as soon as they were seen in the row once more. */
  release(keys: string[]): void {
    for (const key of keys) {
      const held = this.held.get(key);
      if (held) held.isLeaving = true;
    }
  }

  /**
   * Waits until all that was asked for so far is written, and what was let go was seen once more. What can't be written is
   * no worse than a kill at this moment.
   */
  async settle(store: JournalStore): Promise<void> {
    if ([...this.held.values()].some(({ isLeaving }) => isLeaving)) await this.record(store, []).catch(() => undefined);
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve);
      this.work();
    });
  }

  private work(): void {
    if (this.isWorking) return;
    this.isWorking = true;
    void this.inTurn();
  }

  private async inTurn(): Promise<void> {
    // All that is asked for in the same moment goes together.
    await Promise.resolve();
    while (this.orders.length + this.gone.size + this.waiting.length > 0) {
      const isBlocked = this.orders[0]?.keys.some((key) => this.gone.has(key));
      if (!isBlocked) await this.write();
      // Each call costs the reading and writing of the whole row, and those who wait to be sent go first.
      const canWait = this.orders.length > 0 && this.waiting.length === 0 && this.gone.size < MOST_LATE;
      if (isBlocked || !canWait) await this.remove();
    }
    // In the same moment, so that nobody asks in between and is not heard.
    this.isWorking = false;
  }

  private async write(): Promise<void> {
    const batch: Order[] = [];
    const keys = new Set<string>();
    // Of two orders with the same key only one may have added it: the other waits for the next call.
    for (let [order] = this.orders; order; [order] = this.orders) {
      if (order.keys.some((key) => keys.has(key) || this.gone.has(key))) break;
      this.orders.shift();
      batch.push(order);
      for (const key of order.keys) keys.add(key);
    }
    const [first] = batch;
    if (!first) return;
    const held = new Map(this.held);
    try {
      const written = await recorded(first.store, [...new Set([...held.keys(), ...keys])]);
      this.look(held, written);
      // What is held was recorded before, whatever another process made of it.
      for (const { keys: own, resolve } of batch)
        resolve(new Set(own.filter((key) => written.has(key) && !held.has(key))));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  private look(held: Map<string, Held>, written: Set<string>): void {
    for (const [key, { onLost }] of held)
      if (written.has(key)) onLost();
      else if (this.held.get(key)?.isLeaving) this.held.delete(key);
  }

  private async remove(): Promise<void> {
    const waiting = this.waiting.splice(0);
    const [[, store] = []] = this.gone;
    const keys = [...this.gone.keys()];
    this.gone.clear();
    try {
      await store?.removeProcessed(keys, 'node', OPTIONS);
    } catch {
      // They stay: what was done or refused is told as unknown then, and not sent.
    }
    for (const resolve of waiting) resolve();
  }
}

/** Once more, because of two processes that write a node's first keys at once the database refuses one. */
async function recorded(store: JournalStore, keys: string[]): Promise<Set<string>> {
  try {
    return await added(store, keys);
  } catch {
    return await added(store, keys);
  }
}

async function added(store: JournalStore, keys: string[]): Promise<Set<string>> {
  const { new: fresh } = await store.checkProcessedAndRecord(keys, 'node', OPTIONS);
  return new Set(fresh.map(String));
}
