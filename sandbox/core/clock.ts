import { DateTime } from 'luxon';

/** The zone that the service's own dates are in (service.md#values). */
export const SERVICE_ZONE = 'America/Los_Angeles';

/** The sandbox's time: the machine's time plus whatever it was moved by, or standing while it is moved. */
export class SandboxClock {
  private offsetMilliseconds = 0;
  private standing: DateTime | undefined;

  now(): DateTime {
    return this.standing ?? DateTime.utc().plus({ milliseconds: this.offsetMilliseconds });
  }

  /** Stops at a moment. */
  standAt(moment: DateTime): void {
    this.standing = moment;
  }

  /** Goes on from where it stands. */
  goOn(): void {
    if (this.standing !== undefined) this.offsetMilliseconds = this.standing.toMillis() - Date.now();
    this.standing = undefined;
  }

  reset(): void {
    this.offsetMilliseconds = 0;
    this.standing = undefined;
  }
}

/** A timestamp in the interface's form yyyy-MM-ddTHH:mm:ss.SSSZ. */
export function toTimestamp(moment: DateTime): string {
  return moment.toUTC().toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'");
}

/** A calendar day in the interface's form, the timestamp of its midnight (openapi.yaml#DayStamp). */
export function toDayStamp(moment: DateTime): string {
  return toTimestamp(moment.toUTC().startOf('day'));
}

/**
 * The form with a numeric offset that db_timestamp and expiry_time of a checkout have (openapi.yaml#OffsetTimestamp).
 */
export function toOffsetTimestamp(moment: DateTime): string {
  return moment.setZone(SERVICE_ZONE).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZZZ");
}

/** A calendar day yyyy-MM-dd in the service's zone. */
export function toServiceDay(moment: DateTime): string {
  return moment.setZone(SERVICE_ZONE).toFormat('yyyy-MM-dd');
}

/** The form of a card's verified_date, in the service's zone. */
export function toServiceStamp(moment: DateTime): string {
  return moment.setZone(SERVICE_ZONE).toFormat('yyyyMMddHHmmss');
}

/** Reads a timestamp or a calendar day; a day without a time is midnight UTC. `undefined` when it is neither. */
export function readMoment(text: string): DateTime | undefined {
  const moment = DateTime.fromISO(text, { zone: 'utc' });
  return moment.isValid ? moment : undefined;
}
