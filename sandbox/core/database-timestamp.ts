import type { DateTime } from 'luxon';

/** Formats a `db_timestamp` in UTC (service.md#values). The service doesn't document the time zone. */
export function toDatabaseTimestamp(moment: DateTime): string {
  return moment.toUTC().toFormat('yyyy-MM-dd HH:mm:ss');
}
