import type { KeyStore } from '../../n8n/key-row';
import type { Marks } from '../marks';

export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;

export const currentHour = () => Math.floor(Date.now() / HOUR_MS);
export const currentDay = () => Math.floor(currentHour() / 24);

const dayKey = (name: string, day: number) => `${name} day ${day}`;
const hourKeyOf = (name: string, hour: number) => `${name} hour ${hour}`;

/** Recorded for an hour. n8n's database finds only whole keys, so the trigger searches for the day, and then the hour. */
export const timeKeys = (name: string, hour: number): string[] => [
  name,
  dayKey(name, Math.floor(hour / 24)),
  hourKeyOf(name, hour),
];

export interface Span {
  fromMs: number;
  toMs: number;
}

/** Recorded times of a name. */
export interface Times {
  /** Latest recorded hour until now. If only its day is known, the day. */
  past?: Span;
  /** Latest recorded day in the future. n8n's clock was ahead then. */
  ahead?: Span;
  aheadKeys: string[];
  /** Also earlier. */
  isRecorded: boolean;
  /** Whether n8n was killed during an earlier search, so that the keys of the times prove nothing. */
  isHidden: boolean;
}

/** The trigger recognizes times in the future that n8n's clock showed when it was ahead by this number of days. */
const DAYS_AHEAD = 30;

/** Searches for the latest times of the last days. */
export async function findTimes(store: KeyStore, marks: Marks, names: string[], daysAgo: number) {
  const today = currentDay();
  const days = Array.from({ length: DAYS_AHEAD + daysAgo + 1 }, (_, index) => today + DAYS_AHEAD - index);
  const keysOf = (name: string) => [name, ...days.map((day) => dayKey(name, day))];
  const { found, proofs } = await marks.search(store, names.flatMap(keysOf));
  const latest = (name: string, isAhead: boolean) =>
    days.find((day) => proofs.has(dayKey(name, day)) && day > today === isAhead);
  const hoursOf = (name: string) => {
    const day = latest(name, false);
    return day === undefined ? [] : Array.from({ length: 24 }, (_, index) => day * 24 + 23 - index);
  };
  const hours = await marks.proofs(
    store,
    names.flatMap((name) => hoursOf(name).map((hour) => hourKeyOf(name, hour))),
  );
  const timesOf = (name: string): Times => {
    const day = latest(name, false);
    const hour = hoursOf(name).find((one) => hours.has(hourKeyOf(name, one)));
    const ahead = latest(name, true);
    return {
      ...(day !== undefined && { past: hour === undefined ? spanOf(day, DAY_MS) : spanOf(hour, HOUR_MS) }),
      ...(ahead !== undefined && { ahead: spanOf(ahead, DAY_MS) }),
      aheadKeys: days.filter((one) => one > today && proofs.has(dayKey(name, one))).map((one) => dayKey(name, one)),
      isRecorded: keysOf(name).some((key) => proofs.has(key)),
      isHidden: day === undefined && keysOf(name).some((key) => found.has(key) && !proofs.has(key)),
    };
  };
  return new Map(names.map((name) => [name, timesOf(name)]));
}

const spanOf = (index: number, lengthMs: number): Span => ({ fromMs: index * lengthMs, toMs: (index + 1) * lengthMs });
