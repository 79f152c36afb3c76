import { type IDataObject, sleep } from 'n8n-workflow';

import { KeyRow, MOST_KEYS_OF_TRIGGER, type KeyStore, type Undo } from '../n8n/key-row';
import { daysLate } from './catch-up-sources';

export const HOUR_MS = 60 * 60 * 1000;
/** Catch-up doesn't remember a longer break. */
const LONGEST_BREAK_HOURS = 30 * 24;
/** Covers dates without a time or zone (service.md#values). */
const LEAST_OVERLAP_DAYS = 2;
const LONGEST_OVERLAP_DAYS = 30;
/** The longest delay of an entry so far, times this number, determines the overlap. */
const RESERVE = 2;

const REMOVAL_MS = 300;
const FINAL_WRITES = 12;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
/** Maximum number of keys to remove again, because n8n compares each with the whole row. */
const MOST_REPEATED = 500;

/** Stores a node's delivery keys in n8n's database. Combines the keys of many deliveries in one call. */
export class Marks {
  private readonly row = new KeyRow(MOST_KEYS_OF_TRIGGER);
  private readonly removals = new Set<string>();
  private readonly gone = new Map<string, number>();
  private readonly kept = new Map<string, number>();
  private removedAtMs = 0;
  private isRemoving = false;

  async add(store: KeyStore, values: string[], undo?: Undo): Promise<Set<string>> {
    return await this.row.record(store, values, undo);
  }

  /** Records keys, and repeats this until n8n's database has them. Until then, each call of this process records them. */
  async persist(store: KeyStore, values: string[]): Promise<void> {
    this.row.add(store, values);
    const isWritten = async () =>
      await this.row.record(store, []).then(
        () => true,
        () => false,
      );
    for (let pauseMs = FIRST_PAUSE_MS; !(await isWritten()); pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS))
      await sleep(pauseMs);
  }

  /** Like `add`, but repeats a refused write in the background. */
  async addInAnyCase(store: KeyStore, values: string[]): Promise<void> {
    await this.add(store, values).catch((error: unknown) => {
      void this.persist(store, values);
      throw error;
    });
  }

  /** Returns the recorded keys. If n8n was killed during an earlier search for a key, the key proves nothing. */
  async proofs(store: KeyStore, values: string[]): Promise<Set<string>> {
    return await this.row.findProofs(store, values);
  }

  async found(store: KeyStore, values: string[]): Promise<Set<string>> {
    return await this.row.find(store, values);
  }

  /** Returns whether n8n can't have removed keys yet. A failed catch-up removes at most half of the keys. */
  async isWhole(store: KeyStore): Promise<boolean> {
    return await this.row.hasSpace(store, 0.4);
  }

  /**
   * @param forGood whether the removal is permanent. If so, the node repeats it, because another process may write the
   * keys back.
   */
  remove(store: KeyStore, values: string[], forGood: boolean): void {
    for (const value of values) {
      this.removals.add(value);
      this.kept.delete(value);
      if (forGood && this.gone.size < MOST_REPEATED) this.gone.set(value, FINAL_WRITES);
    }
    this.writeSoon(store);
  }

  keep(values: string[]): void {
    for (const value of values) this.kept.set(value, FINAL_WRITES);
  }

  private writeSoon(store: KeyStore): void {
    if (this.isRemoving) return;
    this.isRemoving = true;
    // A random delay prevents two processes from undoing each other's changes every time.
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

  isLeaving(value: string): boolean {
    return this.removals.has(value);
  }

  spare(values: string[]): void {
    for (const value of values) {
      this.removals.delete(value);
      this.gone.delete(value);
    }
  }
}

function take(values: Map<string, number>): string[] {
  const taken = [...values.keys()];
  for (const [value, times] of values)
    if (times > 1) values.set(value, times - 1);
    else values.delete(value);
  return taken;
}

export const currentHour = () => Math.floor(Date.now() / HOUR_MS);
export const currentDay = () => Math.floor(currentHour() / 24);

/** Recorded when a catch-up of the hour ended. */
export const passKey = (hour: number) => `pass ${hour}`;
/** Recorded when the first catch-up began. While n8n's database has it, the database has all keys since then. */
export const FIRST_KEY = 'first';
/** Recorded when a delivery or a catch-up of the hour began. */
export const hourKey = (hour: number) => `hour ${hour}`;

/** Recorded for a change that catch-up emitted. */
export const caughtKey = (identity: string) => `caught ${identity}`;

const lateKey = (days: number) => `late ${days}`;
/** Recorded for entries that were late. */
export function lateKeys(event: string, data: IDataObject[], unknownAtMs: number): string[] {
  const days = data.map((one) => Math.min(daysLate(event, one, unknownAtMs), LONGEST_OVERLAP_DAYS));
  return days.filter((late) => late > 1).map(lateKey);
}

export interface Position {
  /** Earliest time of the changes to read. */
  fromMs: number;
  isFirst: boolean;
  /** Begin of the last successful catch-up, rounded down to the hour. */
  lastPassMs?: number;
  /** Missing if n8n's database has all keys. */
  completeFromMs?: number;
}

/**
 * Each catch-up records its hour when it ends. Each delivery and catch-up records its hour when it begins: n8n's database
 * drops the oldest keys first, so all keys after a recorded hour still exist.
 */
export async function findPosition(store: KeyStore, marks: Marks): Promise<Position> {
  const now = currentHour();
  const hours = Array.from({ length: LONGEST_BREAK_HOURS }, (_, index) => now - index);
  const days = Array.from({ length: LONGEST_OVERLAP_DAYS }, (_, index) => LONGEST_OVERLAP_DAYS - index);
  const keys = hours.flatMap((hour) => [passKey(hour), hourKey(hour)]);
  const proofs = await marks.proofs(store, [...keys, ...days.map(lateKey), FIRST_KEY]);
  const late = days.find((one) => proofs.has(lateKey(one))) ?? 0;
  const overlapMs = Math.min(Math.max(late * RESERVE, LEAST_OVERLAP_DAYS), LONGEST_OVERLAP_DAYS) * 24 * HOUR_MS;
  const isWhole = proofs.has(FIRST_KEY) || (await marks.isWhole(store));
  const recorded = hours.filter((hour) => proofs.has(passKey(hour)) || proofs.has(hourKey(hour)));
  const oldest = recorded.at(-1) ?? now;
  const completeFromMs = (oldest + 1) * HOUR_MS;
  const lastPass = hours.find((hour) => proofs.has(passKey(hour)));
  const rest = !isWhole && { completeFromMs };
  if (lastPass !== undefined) {
    const lastPassMs = lastPass * HOUR_MS;
    return { fromMs: lastPassMs - overlapMs, lastPassMs, isFirst: false, ...rest };
  }
  // After an interrupted search, existing keys prove nothing.
  const isFirst = (isWhole || recorded.length === 0) && (await marks.found(store, hours.map(passKey))).size === 0;
  return { fromMs: (isFirst ? now : oldest) * HOUR_MS - overlapMs, isFirst, ...rest };
}

/** Keys of a catch-up that failed after n8n reported a success. Without an earlier one, the next would be the first. */
export function passesToForget({ lastPassMs = 0 }: Position, startedHour: number): string[] {
  const isEarlier = lastPassMs < startedHour * HOUR_MS && lastPassMs > Date.now() - (LONGEST_BREAK_HOURS / 2) * HOUR_MS;
  return isEarlier ? [passKey(startedHour)] : [];
}

/** Recorded for an event that arrived without the fields that identify its change. */
export const vagueKey = (event: string, day: number) => `vague ${day} ${event}`;

/** Earliest changes in the lists, in days. */
export const LONGEST_LIST_DAYS = LONGEST_BREAK_HOURS / 24 + 2 * LONGEST_OVERLAP_DAYS;

/** Returns the time from which on no such event is about a change. A time without a zone can be a day later. */
export async function findVagueUntil(store: KeyStore, marks: Marks, event: string): Promise<number> {
  const days = Array.from({ length: LONGEST_LIST_DAYS }, (_, index) => currentDay() - index);
  const proofs = await marks.proofs(
    store,
    days.map((day) => vagueKey(event, day)),
  );
  const last = days.find((day) => proofs.has(vagueKey(event, day)));
  return last === undefined ? 0 : (last + 2) * 24 * HOUR_MS;
}
