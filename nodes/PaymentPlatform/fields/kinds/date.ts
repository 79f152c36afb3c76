import { DateTime } from 'luxon';
import type { FieldOptions, ValueField } from '../types';
import { parameterName, valueField } from '../value';

const NUMBERS =
  /^(?<one>\d{1,4})(?<sign>[/.-])(?<two>\d{1,2})\k<sign>(?<three>\d{1,4})(?:(?:t|,?\s+)\d{1,2}[:.]\d.*)?$/i;

const CENTURY = '20';

/** Suggests each possible date: one for "31.03.2026", two for "02/03/2026". The node never sends a suggestion. */
export function suggestDay(value: unknown): string | undefined {
  const orders = typeof value === 'string' ? ordersOf(value.trim()) : [];
  const days = [...new Set(orders.flatMap((order) => readDay(...order)))].sort();
  if (days.length === 0) return orders.map((order) => exceededMonth(...order)).find(Boolean);
  return days.length === 1
    ? `must have the format yyyy-MM-dd. Did you mean ${days.join()}?`
    : `has ${days.length === 2 ? 'two' : 'three'} possible meanings. Enter ${days.slice(0, -1).join(', ')} or ${days.at(-1)}`;
}

/** Returns each possible order of year, month and day. */
function ordersOf(text: string): Array<[year: string, month: string, day: string]> {
  const { year, month = '', day = '' } = partsOf(text) ?? {};
  if (year !== undefined) return [[year, month, day]];
  const { one = '', two = '', three = '' } = NUMBERS.exec(text)?.groups ?? {};
  return [
    [three, two, one],
    [three, one, two],
    [one, two, three],
  ];
}

/** Returns how many days the month has if the day would be in the next month, such as "31/02/2026". */
function exceededMonth(year: string, month: string, day: string): string | undefined {
  const [first] = readDay(year, month, '1');
  const start = first === undefined ? undefined : DateTime.fromISO(first, { zone: 'utc', locale: 'en' });
  const isExceeded = start && Number(day) > Number(start.daysInMonth) && Number(day) <= 31;
  return isExceeded
    ? `must be a date that exists. ${start.toFormat('LLLL yyyy')} has ${start.daysInMonth} days`
    : undefined;
}

/** Two-digit years belong to this century. */
function readDay(year: string, month: string, day: string): string[] {
  const whole = year.length === 2 ? `${CENTURY}${year}` : year;
  const text = `${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return /^(?:19|2\d)/.test(text) && DateTime.fromISO(text, { zone: 'utc' }).isValid ? [text] : [];
}

/** Time zone of the service's times without an offset (service.md#values). */
export const REPORT_ZONE = 'America/Los_Angeles';

/** Dates in other years are mistakes. */
const DAY = String.raw`(?<year>19\d\d|2\d\d\d)(?<dash>-?)(?<month>\d\d)\k<dash>(?<day>\d\d)`;
const TIME = String.raw`(?<hour>[01]\d|2[0-3])(?::?(?<minute>[0-5]\d)(?::?(?<second>[0-5]\d)(?:[.,](?<fraction>\d{1,9}))?)?)?`;
/** Matches Z, UTC, GMT, +02, +0200 and +02:00. The minus sign can be a hyphen or U+2212. */
const OFFSET = String.raw`(?<offset>z|utc|gmt|[+\-\u2212](?:0\d|1[0-4])(?::?[0-5]\d)?)`;
const ZONE = String.raw`\[[\w/+\-]+\]`;
const WRITTEN = new RegExp(`^${DAY}(?:(?:t|\\s+)${TIME}(?:\\s?${OFFSET})?(?:${ZONE})?)?$`, 'i');

type Parts = Partial<Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction' | 'offset', string>>;

const partsOf = (text: string): Parts | undefined => WRITTEN.exec(text.trim())?.groups;

const dayOf = ({ year, month, day }: Parts) => `${year}-${month}-${day}`;

function isoOf(parts: Parts): string {
  const { hour = '00', minute = '00', second = '00', fraction = '0', offset } = parts;
  return `${dayOf(parts)}T${hour}:${minute}:${second}.${fraction}${offsetOf(offset)}`;
}

const offsetOf = (offset = '') => (/[a-z]/i.test(offset) ? 'Z' : offset.replace('\u2212', '-'));

/** Avoids `instanceof`, because n8n passes objects from its own copy of luxon (n8n.md#parameters). */
function dateTimeText(value: unknown): string | undefined {
  return isDateTime(value) ? String(value.toISO()) : undefined;
}

const isDateTime = (value: unknown): value is { toISO(): unknown } =>
  typeof value === 'object' && value !== null && 'toISO' in value && typeof value.toISO === 'function';

const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === '[object Date]';

/**
 * Returns yyyy-MM-dd, or `undefined` if the value isn't a date.
 * - Text: the day as written, without regard to a time or offset.
 * - luxon DateTime: the day in its own zone.
 * - Date: the day in `timezone`.
 */
export function calendarDay(value: unknown, timezone: string): string | undefined {
  if (isDate(value)) return DateTime.fromJSDate(value, { zone: timezone }).toISODate() ?? undefined;
  const text = dateTimeText(value) ?? value;
  const parts = typeof text === 'string' ? partsOf(text) : undefined;
  return parts && DateTime.fromISO(dayOf(parts), { zone: 'utc' }).isValid ? dayOf(parts) : undefined;
}

/**
 * Returns `undefined` if the value isn't a date.
 * @param timezone IANA time zone of text without an offset.
 */
export function instant(value: unknown, timezone: string): DateTime | undefined {
  if (isDate(value)) return valid(DateTime.fromJSDate(value, { zone: timezone }));
  const text = dateTimeText(value) ?? value;
  const parts = typeof text === 'string' ? partsOf(text) : undefined;
  return parts && valid(DateTime.fromISO(isoOf(parts), parts.offset ? { setZone: true } : { zone: timezone }));
}

/**
 * Returns the first and the last moment that a time can mean. Midnight can stand for its whole day, and clocks repeat an
 * hour when daylight saving time ends.
 */
export function momentsOf(value: unknown, timezone: string): [DateTime, DateTime] | undefined {
  const moment = instant(value, timezone);
  if (!moment) return undefined;
  const [first = moment, last = first] = moment.getPossibleOffsets();
  const { year, month, day, hour, minute, second, millisecond } = moment;
  if (hour + minute + second + millisecond > 0) return [first, last];
  return [first, DateTime.fromObject({ year, month, day }, { zone: timezone }).endOf('day')];
}

const valid = (moment: DateTime) => (moment.isValid ? moment : undefined);

/** Never uses luxon's default zone, which may not exist (n8n.md#parameters). */
export const momentOf = (milliseconds: number, zone = 'utc'): DateTime => DateTime.fromMillis(milliseconds, { zone });

/** Formats a time for people, such as "2026-03-31 14:05 America/New_York". */
export const timeText = (moment: DateTime, zone: string): string =>
  `${moment.setZone(zone).toFormat('yyyy-MM-dd HH:mm')} ${zone}`;

export const now = (zone = 'utc'): DateTime => DateTime.utc().setZone(zone);

/** Hours from UTC to the westernmost time zone. */
const LAST_PLACE = 12;

/** Returns the earliest calendar day that is today in some time zone. */
export const todayAtLeast = (): DateTime => now().minus({ hours: LAST_PLACE });

const MONTH = /^(?:(?<year>19\d\d|2\d\d\d)-(?<month>0[1-9]|1[0-2])|(?<other>0[1-9]|1[0-2])\/(?<later>19\d\d|2\d\d\d))$/;

/** Users can enter a month or a calendar day. */
export const calendarMonth = (options: FieldOptions): ValueField =>
  valueField(options, { type: 'string', default: options.default ?? '' }, (value, problem, { timezone }) => {
    const parts = typeof value === 'string' ? MONTH.exec(value.trim())?.groups : undefined;
    if (parts) return `${parts.year ?? parts.later}-${parts.month ?? parts.other}`;
    const day = calendarDay(value, timezone);
    return (
      day?.slice(0, 7) ?? problem(suggestDay(value) ?? 'must be a month, e.g. 2026-03, or a date, e.g. 2026-03-31')
    );
  });

const AS_WRITTEN = 'The node ignores a time and time zone.';

/** Sent as yyyy-MM-ddT00:00:00.000Z (service.md#values). */
export function calendarDate(given: FieldOptions & { type?: 'day' }): ValueField {
  const options = { ...given, description: `${given.description.replace(/\.$/, '')}. ${AS_WRITTEN}` };
  return valueField(options, { type: 'dateTime', default: options.default ?? '' }, (value, problem, { timezone }) => {
    const day = calendarDay(value, timezone);
    if (day) return timestampOf(day);
    return problem(suggestDay(value) ?? 'must be a date, e.g. 2026-03-31 or 2026-03-31T23:30:00-07:00');
  });
}

const timestampOf = (day: string) => `${day}T00:00:00.000Z`;

/**
 * Defaults to today in the workflow's time zone. Has no default expression, as the editor would evaluate it for every
 * parameter.
 */
export function calendarDateOrToday(options: Parameters<typeof calendarDate>[0]): ValueField {
  const field = calendarDate({ ...options, required: true, unmarked: true });
  return {
    ...field,
    fallback: ({ timezone, isExpression }) =>
      isExpression?.(parameterName(field)) ? undefined : timestampOf(now(timezone).toFormat('yyyy-MM-dd')),
  };
}
