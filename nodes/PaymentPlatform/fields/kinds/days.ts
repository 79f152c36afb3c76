import { DateTime } from 'luxon';

import { isObject } from '../../shared/objects';
import { calendarDate, calendarMonth } from './date';
import { composite } from './composite';
import type { JoinedField } from '../types';

/** First and last day that a user chose, both included, as yyyy-MM-dd in the time zone. */
export interface Days {
  first?: string;
  last?: string;
  /** IANA name of the workflow's time zone. */
  zone: string;
}

/** Returns whether a setting of the node contains days. */
export const isDays = (value: unknown): value is Days => isObject(value) && typeof value.zone === 'string';

/** Filter of a list by a day of each record. */
export interface DayFilter {
  /** Field that the service filters by. */
  field: string;
  /** Name of the day in texts, e.g. "due date". The labels are the same for all lists. */
  day: string;
  /** Records with this day, as the beginning of "on or after this day", e.g. "invoices due". */
  of: string;
  /** Whether each record covers a month. Users can then also choose a month, and the first day's month counts as a whole. */
  month?: true;
}

/** Name of the parameter under which the node stores the days. */
export const DAYS_PARAMETER = 'dateFrom';

/**
 * First and last day, or month, of the records to return. The node checks each record itself, and `daysFilter` narrows
 * the request.
 */
export function daysField({ day: called, of, month: byMonth }: DayFilter): JoinedField {
  const day = (name: string, label: string, end: string, when: string) =>
    calendarDate({ name, label, hint: `${end} ${called}`, description: `Return only ${of} on or ${when} this day` });
  const [first, last] = [
    day(DAYS_PARAMETER, 'From Date', 'Earliest', 'after'),
    day('dateTo', 'To Date', 'Latest', 'before'),
  ];
  const month = calendarMonth({
    name: 'month',
    label: 'Month',
    description: `Return only ${of} in this month. Leave the other date fields empty.`,
    placeholder: 'e.g. 2026-03',
  });
  return composite(
    { ...first, place: 'node' },
    [first, last, ...(byMonth ? [month] : [])],
    ({ read, problem, timezone }) => {
      const whole = byMonth ? monthOf(read(month)) : {};
      const [from = whole.first, to = whole.last] = [first, last].map((field) => dayIn(read(field)));
      if (whole.first !== undefined && (from !== whole.first || to !== whole.last))
        return problem({
          label: month.label,
          found: 'a From Date or To Date outside this month',
          allowed: "can't be combined with other dates",
        });
      if (from !== undefined && to !== undefined && from > to)
        return problem({ label: last.label, found: to, allowed: `must not be before ${from}` });
      if (from === undefined && to === undefined) return undefined;
      const start = byMonth ? from?.replace(/..$/, '01') : from;
      return { ...(start !== undefined && { first: start }), ...(to !== undefined && { last: to }), zone: timezone };
    },
  );
}

/**
 * Returns the filters to send, with two extra days at each end. The service's conditions exclude the value itself, and
 * its time zone for days isn't documented (service.md#lists).
 */
export const daysFilter = ({ first, last }: Days, field: string): string[] => [
  ...(first === undefined ? [] : [`${field},GREATER,${shifted(first, -2)}`]),
  ...(last === undefined ? [] : [`${field},LESS,${shifted(last, 2)}`]),
];

/** Returns the day in the value of a day field. */
const dayIn = (value: unknown) => (typeof value === 'string' ? value.slice(0, 10) : undefined);

/** Returns the first and last day of the month in a month field. */
function monthOf(month: unknown): Pick<Days, 'first' | 'last'> {
  if (typeof month !== 'string') return {};
  const first = DateTime.fromISO(`${month}-01`, { zone: 'utc' });
  return { first: `${month}-01`, last: first.endOf('month').toFormat('yyyy-MM-dd') };
}

const shifted = (day: string, days: number) => DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toISODate();
