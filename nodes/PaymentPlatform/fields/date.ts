import { DateTime } from 'luxon';

import type { Field, FieldOptions } from './types';
import { commonParts, commonProperty, readOne } from './value';

/** Text with an offset names an instant; text without one names a day on the wall calendar. */
const HAS_OFFSET = /(Z|[+-]\d\d:?\d\d)$/i;
/** Databases and spreadsheets write a bare day this way. It is a day in disguise, not an instant. */
const DAY_AS_UTC_MIDNIGHT = /^\d{4}-\d\d-\d\dT00:00(:00(\.0+)?)?Z$/i;

/**
 * The calendar day that a value means, as yyyy-MM-dd, or `undefined` when it is no date. Text without an offset and
 * midnight UTC keep the day that is written; any other instant (also a luxon DateTime or a Date) is the day it is at
 * that moment in the workflow's time zone.
 */
export function calendarDay(value: unknown, timezone: string): string | undefined {
  const instant = asInstant(value);
  const day = instant ? instant.setZone(timezone) : writtenDay(value);
  return day?.isValid ? (day.toISODate() ?? undefined) : undefined;
}

function asInstant(value: unknown): DateTime | undefined {
  if (DateTime.isDateTime(value)) return value;
  if (value instanceof Date) return DateTime.fromJSDate(value);
  // n8n hands over DateTimes of its own copy of luxon, which isDateTime does not always recognise.
  if (typeof value === 'object' && value !== null && 'toISO' in value && typeof value.toISO === 'function')
    return DateTime.fromISO(String(value.toISO.call(value)), { setZone: true });
  if (typeof value === 'string' && HAS_OFFSET.test(value.trim()) && !DAY_AS_UTC_MIDNIGHT.test(value.trim()))
    return DateTime.fromISO(value.trim().replace(' ', 'T'), { setZone: true });
  return undefined;
}

function writtenDay(value: unknown): DateTime | undefined {
  if (typeof value !== 'string') return undefined;
  const written = value.trim();
  return DAY_AS_UTC_MIDNIGHT.test(written)
    ? DateTime.fromISO(written.slice(0, 10), { zone: 'utc' })
    : DateTime.fromISO(written.replace(' ', 'T'), { zone: 'utc' });
}

/** The moment that a value means; text without an offset is meant in the given time zone. `undefined` when it is none. */
export function instant(value: unknown, timezone: string): DateTime | undefined {
  const moment =
    asInstant(value) ??
    (typeof value === 'string' ? DateTime.fromISO(value.trim().replace(' ', 'T'), { zone: timezone }) : undefined);
  return moment?.isValid ? moment : undefined;
}

/**
 * A calendar day (date_invoice, date_payment, date_start), sent in the document's timestamp form
 * yyyy-MM-ddT00:00:00.000Z (interface.md section 2).
 */
export function calendarDate(options: FieldOptions): Field {
  return {
    ...commonParts(options),
    properties: () => [{ ...commonProperty(options), type: 'dateTime', default: options.default ?? '' }],
    read: readOne(options, (value, problem, { timezone }) => {
      const day = calendarDay(value, timezone);
      return day ? `${day}T00:00:00.000Z` : problem('must be a date, e.g. 2026-03-31');
    }),
  };
}
