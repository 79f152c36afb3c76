import type { DateTime } from 'luxon';

/** The form of db_timestamp in deliveries and webhook records (service.md#values). UTC: the zone is not known. */
export function toDatabaseTimestamp(moment: DateTime): string {
  return moment.toUTC().toFormat('yyyy-MM-dd HH:mm:ss');
}
