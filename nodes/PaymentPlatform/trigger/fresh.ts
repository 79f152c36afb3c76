import { DateTime } from 'luxon';

/**
 * Returns the moment at which the service recorded an event, or `undefined` if the value is no time. A time without an
 * offset is UTC (docs/service.md#values).
 * @param text `db_timestamp` of a delivery.
 */
export function recordedAt(text: unknown): DateTime | undefined {
  if (typeof text !== 'string') return undefined;
  const moment = DateTime.fromISO(text.trim().replace(' ', 'T'), { zone: 'utc' });
  return moment.isValid ? moment : undefined;
}

/**
 * Returns whether an event is no older than the limit. A value that is no time has no age, so it is not recent.
 * @param mostMinutes 0 for no limit.
 */
export function isRecent(text: unknown, mostMinutes: number, now = DateTime.now()): boolean {
  if (mostMinutes === 0) return true;
  const moment = recordedAt(text);
  return moment !== undefined && now.diff(moment, 'minutes').minutes <= mostMinutes;
}
