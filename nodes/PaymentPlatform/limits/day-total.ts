import { randomUUID } from 'node:crypto';

import { sleep } from 'n8n-workflow';

import { RENEWED_AFTER_KEYS, type KeyRow, type KeyStore } from '../n8n/key-row';

/** 50 bits are enough for a total of more than ten trillion dollars in cents. */
const BITS = Array.from({ length: 50 }, (_, bit) => bit);
const HIGHEST = 2 ** BITS.length - 1;
const COPIES = [0, 1] as const;
/** Only previews look up this copy. Their look-ups could remove new keys of the other copies, or make them unreadable. */
const SHOWN = 2;
const MOST_ATTEMPTS = 10;
const WAIT_MS = 50;

interface Order {
  store: KeyStore;
  day: string;
  by: (cents: number) => number;
  resolve: () => void;
  reject: (error: unknown) => void;
}

interface Reading {
  /** The copy that the node read. If it isn't the first copy, a killed look-up left all keys of the first copy. */
  copy: number;
  generation: number;
  cents: number;
  left: string[];
}

const totals = new WeakMap<KeyRow, DayTotal>();

/**
 * Daily total of a node's requests, stored in n8n's database as one key per set bit (n8n.md#deduplication-helper). A
 * change records the new total before it removes the old one. If n8n is killed between these steps, the node uses the
 * higher total.
 */
export class DayTotal {
  /** `KeyRow.added` at the latest change. */
  private changedAt = 0;
  private orders: Order[] = [];
  private isWorking = false;
  /** Totals of a preview in cents, by day. */
  private readonly previewed = new Map<string, number>();

  constructor(private readonly row: KeyRow) {}

  static of(row: KeyRow): DayTotal {
    const total = totals.get(row) ?? new DayTotal(row);
    totals.set(row, total);
    return total;
  }

  /** Whether the row has so many newer keys that n8n could soon remove the total. */
  get isOld(): boolean {
    return this.row.added - this.changedAt >= RENEWED_AFTER_KEYS;
  }

  /**
   * Changes by several processes run one after the other. Those of this process that wait together run as one change.
   * @param day unique name of the total.
   * @param by returns the new total in cents, and may run several times.
   * @throws an error if n8n's database fails or other processes keep changing the total.
   */
  async change(store: KeyStore, day: string, by: (cents: number) => number): Promise<void> {
    this.changedAt = this.row.added;
    await new Promise<void>((resolve, reject) => {
      this.orders.push({ store, day, by, resolve, reject });
      void this.work();
    });
  }

  private async work(): Promise<void> {
    if (this.isWorking) return;
    this.isWorking = true;
    for (let [first] = this.orders; first; [first] = this.orders) {
      const { store, day } = first;
      const orders = this.orders.filter((one) => one.day === day);
      this.orders = this.orders.filter((one) => one.day !== day);
      const by = (cents: number) => orders.reduce((sum, order) => order.by(sum), cents);
      try {
        await this.row.exclusively(store, `total ${day}`, async () => await this.changeAlone(store, day, by));
        for (const { resolve } of orders) resolve();
      } catch (error) {
        for (const { reject } of orders) reject(error);
      }
    }
    this.isWorking = false;
  }

  private async changeAlone(...[store, day, by]: Parameters<DayTotal['change']>): Promise<void> {
    for (const copy of this.row.isPreview ? [SHOWN] : COPIES)
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        const reading = await this.read(store, day, copy);
        if (reading && (await this.write(store, day, reading, by(reading.cents)))) return;
        await sleep(WAIT_MS * Math.random());
      }
    throw new Error("The day's total can't be read");
  }

  private async read(store: KeyStore, day: string, copy: number): Promise<Reading | undefined> {
    const previewed = this.previewed.get(day);
    if (previewed !== undefined) return { copy, generation: 0, cents: previewed, left: [] };
    const all = [0, 1].flatMap((generation) => keysOf([copy], day, generation, HIGHEST));
    const found = await this.row.findAlone(store, all);
    if (found.size === all.length) return undefined;
    const [first, second] = [centsIn(found, copy, day, 0), centsIn(found, copy, day, 1)];
    const generation = second > first ? 1 : 0;
    const isLeft = [...found].some((key) => key.startsWith(nameOf(copy, day, 1 - generation)));
    const left = isLeft ? keysOf(copy === 0 ? COPIES : [copy], day, 1 - generation, HIGHEST) : [];
    return { copy, generation, cents: Math.max(first, second), left };
  }

  private async write(store: KeyStore, day: string, reading: Reading, cents: number): Promise<boolean> {
    // If n8n were killed, the look-up of a preview's total would leave this total.
    if (this.row.isPreview) {
      this.previewed.set(day, cents);
      return true;
    }
    const { copy, generation, left } = reading;
    const own = randomUUID();
    const next = 1 - generation;
    const total = Math.min(cents, HIGHEST);
    const keys = [own, ...keysOf(COPIES, day, next, total)];
    const shown = keysOf([SHOWN], day, next, total);
    this.row.remove(store, left);
    const added = await this.row.record(store, [...keys, ...shown]);
    const isNew = [own, ...keysOf(copy === 0 ? COPIES : [copy], day, next, total)].every((key) => added.has(key));
    // Another write of another process to the row can overwrite all of these keys.
    const claim = { shared: [nameOf(1, day, next)], own: [own], isContended: true };
    const kept = isNew ? await this.row.keep(store, keys, claim) : 'lost';
    const isOwn = kept === 'this';
    // The first copy must not be empty at any time, because an empty copy is a total of zero.
    const unreadable = keysOf(copy === 0 ? [SHOWN] : [0, SHOWN], day, next, HIGHEST);
    const wrong = unreadable.filter((key) => !keys.includes(key) && !shown.includes(key));
    const old = [...keysOf([...COPIES, SHOWN], day, generation, HIGHEST), ...wrong];
    const over = isOwn ? old : kept === 'other' ? [] : [...added];
    this.row.remove(store, [own, ...over]);
    // Until n8n has removed the old total, other processes read the higher total, so the node waits.
    await this.row.flush(store);
    return isOwn;
  }
}

const nameOf = (copy: number, day: string, generation: number) => `total ${day} ${copy} ${generation}`;
const bitOf = (copy: number, day: string, generation: number, bit: number) => `${nameOf(copy, day, generation)} ${bit}`;

function keysOf(copies: readonly number[], day: string, generation: number, cents: number): string[] {
  const bits = BITS.filter((bit) => Math.floor(cents / 2 ** bit) % 2 === 1);
  return copies.flatMap((copy) => [
    nameOf(copy, day, generation),
    ...bits.map((bit) => bitOf(copy, day, generation, bit)),
  ]);
}

function centsIn(found: ReadonlySet<string>, copy: number, day: string, generation: number): number {
  return BITS.filter((bit) => found.has(bitOf(copy, day, generation, bit))).reduce((sum, bit) => sum + 2 ** bit, 0);
}
