import type { KeyStore } from '../../n8n/key-row';
import type { Marks } from '../marks';
import { daysLate } from './changes';

export const HOUR_MS = 60 * 60 * 1000;
/** Catch-up doesn't remember a longer break. */
const LONGEST_BREAK_HOURS = 30 * 24;
/** Covers dates without a time or zone (service.md#values). */
const LEAST_OVERLAP_DAYS = 2;
const LONGEST_OVERLAP_DAYS = 30;
/** The longest delay of an entry so far, times this number, determines the overlap. */
const RESERVE = 2;

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
export function lateKeys(event: string, times: unknown[], unknownAtMs: number): string[] {
  const days = times.map((at) => Math.min(daysLate(event, at, unknownAtMs), LONGEST_OVERLAP_DAYS));
  return days.filter((late) => late > 1).map(lateKey);
}

export interface Position {
  /** Earliest time of the changes to read. */
  fromMs: number;
  isFirst: boolean;
  /** End of the hour in which an interrupted first catch-up began. */
  begunMs?: number;
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
  const lastPass =
    hours.find((hour) => proofs.has(passKey(hour))) ?? ((await hasPassed(store, marks)) ? now : undefined);
  const rest = !isWhole && { completeFromMs };
  if (lastPass !== undefined) {
    const lastPassMs = lastPass * HOUR_MS;
    return { fromMs: lastPassMs - overlapMs, lastPassMs, isFirst: false, ...rest };
  }
  // After an interrupted search, existing keys prove nothing.
  const isFirst = (isWhole || recorded.length === 0) && (await marks.found(store, hours.map(passKey))).size === 0;
  const isRepeated = isFirst && proofs.has(FIRST_KEY);
  const fromMs = (isFirst && !isRepeated ? now : oldest) * HOUR_MS - overlapMs;
  return { fromMs, isFirst, ...(isRepeated && { begunMs: completeFromMs }), ...rest };
}

/** Returns whether a catch-up ended in a later hour. n8n's clock was ahead then. */
async function hasPassed(store: KeyStore, marks: Marks): Promise<boolean> {
  const keys = Array.from({ length: LEAST_OVERLAP_DAYS * 24 }, (_, index) => passKey(currentHour() + 1 + index));
  return (await marks.proofs(store, keys)).size > 0;
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
