import type { DateTime } from 'luxon';

/**
 * Formats `db_timestamp` of deliveries and webhook records (service.md#values). The sandbox uses UTC, because the
 * service doesn't document the time zone.
 */
export function toDatabaseTimestamp(moment: DateTime): string {
  return moment.toUTC().toFormat('yyyy-MM-dd HH:mm:ss');
}
