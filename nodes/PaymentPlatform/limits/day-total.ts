import { sleep } from 'n8n-workflow';

import { KeyRow, type KeyStore } from '../n8n/key-row';

/** Bits of a total in cents, enough for more than ten trillion in the currency's main unit. */
const BITS = Array.from({ length: 50 }, (_, bit) => bit);
/** Highest total, with every bit set. */
const HIGHEST = 2 ** BITS.length - 1;
/** Copies of the total. The node reads the second copy only if the first copy is unreadable. */
const COPIES = [0, 1] as const;
/** Maximum number of attempts to change each copy of the total while other processes change the total. */
const MOST_ATTEMPTS = 10;
/** Maximum waiting time before another attempt, in milliseconds. */
const WAIT_MS = 50;

interface Reading {
  /** Number of the key generation (0 or 1) that contains the total. */
  generation: number;
  cents: number;
  /** Keys that an interrupted change or reading left in the row. */
  left: string[];
}

const totals = new Map<string, DayTotal>();

/**
 * Daily total of a node's requests in n8n's database. n8n stores only digests of keys, which can't be read
 * (n8n.md#deduplication-helper), so each set bit of the total is a key. A change records the new total as another
 * generation before it removes the old total. If n8n is killed between these steps, the node uses the higher total. If
 * another process changes the total at the same time, the change starts again.
 */
export class DayTotal {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly row: KeyRow) {}

  /** Returns the total in the row with this name, which must be unique among all workflows. */
  static of(name: string): DayTotal {
    const total = totals.get(name) ?? new DayTotal(KeyRow.of(name));
    totals.set(name, total);
    return total;
  }

  /**
   * Changes the total of a day, and records the new total as the row's newest keys. Changes of this process run one
   * after the other.
   * @param day unique name of the total, such as a day and an account.
   * @param by returns the new total in cents, and may run several times.
   * @throws the error of n8n's database, or an error if other processes change the total for too long.
   */
  async change(store: KeyStore, day: string, by: (cents: number) => number): Promise<void> {
    const before = this.last;
    const changing = this.changeAfter(before, store, day, by);
    this.last = changing.catch(() => undefined);
    await changing;
  }

  private async changeAfter(before: Promise<unknown>, ...[store, day, by]: Parameters<DayTotal['change']>) {
    await before;
    for (const copy of COPIES)
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        const reading = await this.read(store, day, copy);
        if (reading && (await this.write(store, day, reading, by(reading.cents)))) return;
        await sleep(WAIT_MS * Math.random());
      }
    throw new Error("The day's total can't be read");
  }

  /**
   * Returns the recorded total. Reading temporarily records all keys of the copy. If no key is missing, another process
   * is reading the copy or was killed while reading, so the function returns `undefined`.
   */
  private async read(store: KeyStore, day: string, copy: number): Promise<Reading | undefined> {
    const all = [0, 1].flatMap((generation) => keysOf([copy], day, generation, HIGHEST));
    const missing = await this.row.record(store, all, (added) => [...added]);
    if (missing.size === 0) return undefined;
    const found = new Set(all.filter((key) => !missing.has(key)));
    const [first, second] = [centsIn(found, copy, day, 0), centsIn(found, copy, day, 1)];
    const generation = second > first ? 1 : 0;
    const isLeft = [...found].some((key) => key.startsWith(nameOf(copy, day, 1 - generation)));
    return {
      generation,
      cents: Math.max(first, second),
      left: [
        ...(isLeft ? keysOf(COPIES, day, 1 - generation, HIGHEST) : []),
        ...(copy === 0 ? [] : [0, 1].flatMap((one) => keysOf([0], day, one, HIGHEST))),
      ],
    };
  }

  /** Records a new total. Returns false if another process changed the total after the reading. */
  private async write(store: KeyStore, day: string, { generation, left }: Reading, cents: number): Promise<boolean> {
    const keys = keysOf(COPIES, day, 1 - generation, Math.min(cents, HIGHEST));
    this.row.remove(store, left);
    const added = await this.row.record(store, keys);
    const isOwn = added.size === keys.length;
    this.row.remove(store, isOwn ? keysOf(COPIES, day, generation, HIGHEST) : [...added]);
    // Until n8n removes the old total, another process would read the higher of both totals.
    await this.row.flush(store);
    return isOwn;
  }
}

const nameOf = (copy: number, day: string, generation: number) => `total ${day} ${copy} ${generation}`;
const bitOf = (copy: number, day: string, generation: number, bit: number) => `${nameOf(copy, day, generation)} ${bit}`;

/** Returns the keys of a total. Each copy has a key for its generation and a key for each set bit. */
function keysOf(copies: readonly number[], day: string, generation: number, cents: number): string[] {
  const bits = BITS.filter((bit) => Math.floor(cents / 2 ** bit) % 2 === 1);
  return copies.flatMap((copy) => [
    nameOf(copy, day, generation),
    ...bits.map((bit) => bitOf(copy, day, generation, bit)),
  ]);
}

/** Returns the total of a generation from its recorded keys, in cents. */
function centsIn(found: ReadonlySet<string>, copy: number, day: string, generation: number): number {
  return BITS.filter((bit) => found.has(bitOf(copy, day, generation, bit))).reduce((sum, bit) => sum + 2 ** bit, 0);
}
