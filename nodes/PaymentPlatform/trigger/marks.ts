import { sleep } from 'n8n-workflow';

import { KeyRow, type KeyStore } from '../n8n/key-row';

/** Limit for the marks of a node, which is enough for the latest 2,000 deliveries approximately. */
const MOST_MARKS = 4_000;
/** Average time between two removals, in milliseconds. Marks that are no longer needed are removed together. */
const REMOVAL_MS = 300;
/** Number of times that a final removal, or a final mark, is written. */
const FINAL_WRITES = 12;

/**
 * Writes the marks of one node to n8n's database. Combines the marks of many deliveries in one call of n8n's helper.
 */
export class Marks {
  private readonly row = new KeyRow(MOST_MARKS);
  private readonly removals = new Set<string>();
  /** Marks whose removal or presence is final, and the number of writes that remain for each. */
  private readonly gone = new Map<string, number>();
  private readonly kept = new Map<string, number>();
  private removedAtMs = 0;
  private isRemoving = false;

  /** Records marks. @returns the marks that were not there before. */
  async add(store: KeyStore, values: string[]): Promise<Set<string>> {
    return await this.row.record(store, values);
  }

  /**
   * Removes marks soon.
   * @param forGood whether the marks are never added again. Then they are removed repeatedly, because another process may
   * write them back at the same moment.
   */
  remove(store: KeyStore, values: string[], forGood: boolean): void {
    for (const value of values) {
      this.removals.add(value);
      this.kept.delete(value);
      if (forGood) this.gone.set(value, FINAL_WRITES);
    }
    this.writeSoon(store);
  }

  /** Writes marks repeatedly, with the next removals, because another process may overwrite them at the same moment. */
  keep(values: string[]): void {
    for (const value of values) this.kept.set(value, FINAL_WRITES);
  }

  private writeSoon(store: KeyStore): void {
    if (this.isRemoving) return;
    this.isRemoving = true;
    // Two processes with the same rhythm would undo each other's changes every time.
    const pauseMs = REMOVAL_MS * (0.5 + Math.random());
    void sleep(Math.max(0, this.removedAtMs + pauseMs - Date.now())).then(() => {
      this.isRemoving = false;
      this.removedAtMs = Date.now();
      const gone = [...this.removals, ...take(this.gone)];
      const kept = take(this.kept);
      this.removals.clear();
      if (this.gone.size + this.kept.size > 0) this.writeSoon(store);
      if (kept.length > 0) void this.row.record(store, kept).catch(() => undefined);
      this.row.remove(store, gone);
    });
  }

  /** Returns whether a mark is about to be removed. */
  isLeaving(value: string): boolean {
    return this.removals.has(value);
  }

  /** Cancels the removal of marks. */
  spare(values: string[]): void {
    for (const value of values) {
      this.removals.delete(value);
      this.gone.delete(value);
    }
  }
}

/** Returns the values that are to be written now, and counts one write of each. */
function take(values: Map<string, number>): string[] {
  const taken = [...values.keys()];
  for (const [value, times] of values)
    if (times > 1) values.set(value, times - 1);
    else values.delete(value);
  return taken;
}
