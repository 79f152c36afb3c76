import type { DateTime } from 'luxon';

/**
 * Formats db_timestamp in deliveries and webhook records (service.md#values). Uses UTC because the service's time zone
 * is unknown.
 */
export function toDatabaseTimestamp(moment: DateTime): string {
  return moment.toUTC().toFormat('yyyy-MM-dd HH:mm:ss');
}
