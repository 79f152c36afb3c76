import { DateTime } from 'luxon';

const FORMAT = 'yyyy-MM-dd HH:mm:ss';
/** The service does not say in which zone it writes; reports are in Pacific time (docs/service.md#values). */
const ZONES = ['utc', 'America/Los_Angeles'];
/** The service repeats a delivery for so long (docs/service.md#deliveries). */
const REPEATED_MINUTES = 60;
/** Clocks differ a little. */
const AHEAD_MINUTES = 5;
/** No zone makes an old event look so far ahead: it is the service's clock that is, e.g. a sandbox whose time was moved. */
const OWN_CLOCK_MINUTES = 14 * 60;

/**
 * Whether the service wrote an event down recently. The zone of its time is not known: it is recent when it is so in UTC,
 * in Pacific time or in the zone of n8n. What is no such time says nothing, and counts as recent.
 * @param text `db_timestamp` of a delivery.
 * @param mostMinutes 0 for no limit.
 */
export function isRecent(text: unknown, mostMinutes: number, ownZone: string, now = DateTime.now()): boolean {
  if (mostMinutes === 0 || typeof text !== 'string') return true;
  const moments = [...ZONES, ownZone].map((zone) => DateTime.fromFormat(text, FORMAT, { zone }));
  if (moments.every(({ isValid }) => !isValid)) return true;
  return moments.some((moment) => {
    const minutes = now.diff(moment, 'minutes').minutes;
    return (minutes <= mostMinutes && minutes >= -AHEAD_MINUTES) || minutes <= -OWN_CLOCK_MINUTES;
  });
}

/**
 * The moment at which an event was written down, ISO with its offset. Its zone is the one in which it lies within the time
 * for which a delivery is repeated: that can be one of them only.
 * @param text `db_timestamp` of a delivery.
 * @param receivedAt ISO
 * @returns `undefined` where neither fits, as for an event that somebody had sent again much later.
 */
export function writtenAt(text: unknown, receivedAt: string): string | undefined {
  if (typeof text !== 'string') return undefined;
  const received = DateTime.fromISO(receivedAt);
  const moments = ZONES.map((zone) => DateTime.fromFormat(text, FORMAT, { zone }));
  const found = moments.find((moment) => {
    const { minutes } = received.diff(moment, 'minutes');
    return minutes <= REPEATED_MINUTES + AHEAD_MINUTES && minutes >= -AHEAD_MINUTES;
  });
  return found?.toISO() ?? undefined;
}
