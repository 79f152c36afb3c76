import { sleep } from 'n8n-workflow';

import { KeyRow, type KeyStore } from '../n8n/key-row';

/** Maximum number of markers per node, enough for about 2,000 deliveries. */
const MOST_MARKS = 4_000;
/**
 * Average time between two removals, in milliseconds. One removal deletes all markers that the node no longer needs.
 */
const REMOVAL_MS = 300;
/** Number of times that the node writes a final removal or a final addition of a marker. */
const FINAL_WRITES = 12;

/**
 * Writes the delivery markers of one node to n8n's database. Combines the markers of many deliveries in one call of
 * n8n's helper.
 */
export class Marks {
  private readonly row = new KeyRow(MOST_MARKS);
  private readonly removals = new Set<string>();
  /** Markers that the node removes or keeps permanently, with the number of remaining writes for each marker. */
  private readonly gone = new Map<string, number>();
  private readonly kept = new Map<string, number>();
  private removedAtMs = 0;
  private isRemoving = false;

  /**
   * Records markers.
   * @returns the markers that the database did not contain before.
   */
  async add(store: KeyStore, values: string[]): Promise<Set<string>> {
    return await this.row.record(store, values);
  }

  /**
   * Removes markers with the next scheduled write.
   * @param forGood whether no execution will add the markers again. If true, the node repeats the removal, because
   * another process may write the markers back at the same time.
   */
  remove(store: KeyStore, values: string[], forGood: boolean): void {
    for (const value of values) {
      this.removals.add(value);
      this.kept.delete(value);
      if (forGood) this.gone.set(value, FINAL_WRITES);
    }
    this.writeSoon(store);
  }

  /**
   * Repeats the addition of markers with the next removals, because another process may overwrite the markers at the
   * same time.
   */
  keep(values: string[]): void {
    for (const value of values) this.kept.set(value, FINAL_WRITES);
  }

  private writeSoon(store: KeyStore): void {
    if (this.isRemoving) return;
    this.isRemoving = true;
    // A random delay prevents two processes with the same interval from undoing each other's changes every time.
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

  /** Returns whether a marker is scheduled for removal. */
  isLeaving(value: string): boolean {
    return this.removals.has(value);
  }

  /** Cancels the scheduled removal of markers. */
  spare(values: string[]): void {
    for (const value of values) {
      this.removals.delete(value);
      this.gone.delete(value);
    }
  }
}

/** Returns all values that need another write, and reduces the number of remaining writes of each value by one. */
function take(values: Map<string, number>): string[] {
  const taken = [...values.keys()];
  for (const [value, times] of values)
    if (times > 1) values.set(value, times - 1);
    else values.delete(value);
  return taken;
}
