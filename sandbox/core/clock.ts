import { DateTime, IANAZone } from 'luxon';

/** Caches each hour's offset, because luxon formats a date to find an offset. */
class CachingZone extends IANAZone {
  private readonly offsets = new Map<number, number>();

  override offset(milliseconds: number): number {
    const hour = Math.floor(milliseconds / 3_600_000);
    const known = this.offsets.get(hour) ?? super.offset(milliseconds);
    this.offsets.set(hour, known);
    return known;
  }
}

/** Time zone of the service's dates (service.md#values). Its offset changes only at a full hour. */
export const SERVICE_ZONE = new CachingZone('America/Los_Angeles');

/** Clock that tests can advance. */
export class SandboxClock {
  private offsetMilliseconds = 0;
  private standing: DateTime | undefined;

  now(): DateTime {
    return this.standing ?? DateTime.fromMillis(Date.now() + this.offsetMilliseconds, { zone: 'utc' });
  }

  standAt(moment: DateTime): void {
    this.standing = moment;
  }

  goOn(): void {
    if (this.standing !== undefined) this.offsetMilliseconds = this.standing.toMillis() - Date.now();
    this.standing = undefined;
  }

  reset(): void {
    this.offsetMilliseconds = 0;
    this.standing = undefined;
  }
}

/** Formats a time as yyyy-MM-ddTHH:mm:ss.SSSZ in UTC. */
export function toTimestamp(moment: DateTime): string {
  return moment.toJSDate().toISOString();
}

/** Formats a calendar day as midnight in UTC (openapi.yaml#DayStamp). */
export function toDayStamp(moment: DateTime): string {
  return `${toTimestamp(moment).slice(0, 10)}T00:00:00.000Z`;
}

/** Formats a time in the service's time zone with a numeric offset (openapi.yaml#OffsetTimestamp). */
export function toOffsetTimestamp(moment: DateTime): string {
  return moment.setZone(SERVICE_ZONE).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZZZ");
}

/** Formats a day in the service's time zone as yyyy-MM-dd. */
export function toServiceDay(moment: DateTime): string {
  return moment.setZone(SERVICE_ZONE).toFormat('yyyy-MM-dd');
}

/** Formats a time in the service's time zone as yyyyMMddHHmmss. */
export function toServiceStamp(moment: DateTime): string {
  return moment.setZone(SERVICE_ZONE).toFormat('yyyyMMddHHmmss');
}

/** Parses a timestamp, or a calendar day as midnight in UTC. Returns `undefined` for other text. */
export function readMoment(text: string): DateTime | undefined {
  const moment = DateTime.fromISO(text, { zone: 'utc' });
  return moment.isValid ? moment : undefined;
}

/** Formats a `db_timestamp` in UTC (service.md#values). The service doesn't document the time zone. */
export function toDatabaseTimestamp(moment: DateTime): string {
  return moment.toUTC().toFormat('yyyy-MM-dd HH:mm:ss');
}
