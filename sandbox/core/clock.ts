import { DateTime } from 'luxon';

/** Time zone of the service's dates (service.md#values). */
export const SERVICE_ZONE = 'America/Los_Angeles';

/** The sandbox's time: the machine's time plus an offset, or a fixed time while the clock is being moved. */
export class SandboxClock {
  private offsetMilliseconds = 0;
  private standing: DateTime | undefined;

  now(): DateTime {
    return this.standing ?? DateTime.utc().plus({ milliseconds: this.offsetMilliseconds });
  }

  /** Stops the clock at a given time. */
  standAt(moment: DateTime): void {
    this.standing = moment;
  }

  /** Restarts the clock from its current time. */
  goOn(): void {
    if (this.standing !== undefined) this.offsetMilliseconds = this.standing.toMillis() - Date.now();
    this.standing = undefined;
  }

  reset(): void {
    this.offsetMilliseconds = 0;
    this.standing = undefined;
  }
}

/** Formats a time as the interface's timestamp, yyyy-MM-ddTHH:mm:ss.SSSZ. */
export function toTimestamp(moment: DateTime): string {
  return moment.toUTC().toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'");
}

/** Formats a calendar day as the timestamp of its midnight (openapi.yaml#DayStamp). */
export function toDayStamp(moment: DateTime): string {
  return toTimestamp(moment.toUTC().startOf('day'));
}

/**
 * Formats a time with a numeric offset, as in db_timestamp and a checkout's expiry_time (openapi.yaml#OffsetTimestamp).
 */
export function toOffsetTimestamp(moment: DateTime): string {
  return moment.setZone(SERVICE_ZONE).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZZZ");
}

/** Formats a calendar day in the service's time zone as yyyy-MM-dd. */
export function toServiceDay(moment: DateTime): string {
  return moment.setZone(SERVICE_ZONE).toFormat('yyyy-MM-dd');
}

/** Formats a time in the service's time zone, as in a card's verified_date. */
export function toServiceStamp(moment: DateTime): string {
  return moment.setZone(SERVICE_ZONE).toFormat('yyyyMMddHHmmss');
}

/** Reads a timestamp or a calendar day. A day without a time is midnight UTC. Returns `undefined` for other texts. */
export function readMoment(text: string): DateTime | undefined {
  const moment = DateTime.fromISO(text, { zone: 'utc' });
  return moment.isValid ? moment : undefined;
}
