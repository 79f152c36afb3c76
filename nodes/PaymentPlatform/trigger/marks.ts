import { sleep, type IExecuteFunctions } from 'n8n-workflow';

/**
 * Part of n8n's helpers that stores hashes in n8n's database. Each node has one row, which is read and written as a
 * whole (n8n.md#deduplication-helper).
 */
export type MarkStore = Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord' | 'removeProcessed'>;

/** Maximum number of marks of a node. Deliveries before the latest 2,000 or so are forgotten. */
const OPTIONS = { mode: 'entries', maxEntries: 4_000 } as const;
/** Time between removals in milliseconds. Marks that are no longer needed are removed together. */
const REMOVAL_MS = 300;
/** Number of times that a final removal or mark is written. */
const FINAL_WRITES = 12;

interface Order {
  values: string[];
  resolve: (added: Set<string>) => void;
  reject: (error: unknown) => void;
}

/**
 * Marks of one node, as this process writes them. Calls run one at a time with many deliveries each, because parallel
 * calls would lose each other's marks.
 */
export class Marks {
  private orders: Order[] = [];
  private readonly removals = new Set<string>();
  /** Marks whose removal or presence is final, and how often it is still to be written. */
  private readonly gone = new Map<string, number>();
  private readonly kept = new Map<string, number>();
  private removedAtMs = 0;
  private isRemoving = false;
  private turn: Promise<unknown> = Promise.resolve();

  /** @returns the values that didn't exist before. */
  async add(store: MarkStore, values: string[]): Promise<Set<string>> {
    return await new Promise((resolve, reject) => {
      this.orders.push({ values, resolve, reject });
      this.inTurn(async () => await this.work(store));
    });
  }

  /**
   * Removes marks soon.
   * @param forGood whether they won't be added again. They are then removed repeatedly, in case another process writes
   * them back at the same moment.
   */
  remove(store: MarkStore, values: string[], forGood: boolean): void {
    for (const value of values) {
      this.removals.add(value);
      this.kept.delete(value);
      if (forGood) this.gone.set(value, FINAL_WRITES);
    }
    this.writeSoon(store);
  }

  /** Writes marks repeatedly with the next removals, because another process may overwrite them at the same moment. */
  keep(values: string[]): void {
    for (const value of values) this.kept.set(value, FINAL_WRITES);
  }

  private writeSoon(store: MarkStore): void {
    if (this.isRemoving) return;
    this.isRemoving = true;
    // A random pause keeps two processes from undoing each other's writes every time.
    const pauseMs = REMOVAL_MS * (0.5 + Math.random());
    void sleep(Math.max(0, this.removedAtMs + pauseMs - Date.now())).then(() => {
      this.inTurn(async () => {
        this.isRemoving = false;
        this.removedAtMs = Date.now();
        const gone = new Set([...this.removals, ...take(this.gone)]);
        const kept = take(this.kept);
        this.removals.clear();
        if (this.gone.size + this.kept.size > 0) this.writeSoon(store);
        if (kept.length > 0) await write(store, kept);
        await store.removeProcessed([...gone], 'node', OPTIONS);
      });
    });
  }

  /** Returns whether a mark is about to be removed. */
  isLeaving(value: string): boolean {
    return this.removals.has(value);
  }

  /** Keeps marks that were about to be removed. */
  spare(values: string[]): void {
    for (const value of values) {
      this.removals.delete(value);
      this.gone.delete(value);
    }
  }

  private inTurn(work: () => Promise<void>): void {
    this.turn = this.turn.then(work).catch(() => undefined);
  }

  private async work(store: MarkStore): Promise<void> {
    const batch: Order[] = [];
    const values = new Set<string>();
    // Two orders with the same mark can't both have added it, so the second one waits for the next call.
    for (let [order] = this.orders; order && !order.values.some((value) => values.has(value)); [order] = this.orders) {
      this.orders.shift();
      for (const value of order.values) values.add(value);
      batch.push(order);
    }
    if (batch.length === 0) return;
    try {
      const { new: added } = await write(store, [...values]);
      for (const { resolve } of batch) resolve(new Set(added.map(String)));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

/** Returns the values to write now, and counts each of them down. */
function take(values: Map<string, number>): string[] {
  const taken = [...values.keys()];
  for (const [value, times] of values)
    if (times > 1) values.set(value, times - 1);
    else values.delete(value);
  return taken;
}

/** Tries twice, because the database refuses one of two processes that write a node's first marks at the same time. */
async function write(store: MarkStore, values: string[]) {
  try {
    return await store.checkProcessedAndRecord(values, 'node', OPTIONS);
  } catch {
    return await store.checkProcessedAndRecord(values, 'node', OPTIONS);
  }
}
