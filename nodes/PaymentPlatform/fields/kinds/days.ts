import { DateTime } from 'luxon';

import { isObject } from '../../shared/objects';
import { calendarDate, calendarMonth } from './date';
import { composite } from './composite';
import type { JoinedField } from '../types';

/** Days that a person named, both included: yyyy-MM-dd as they are called in the time zone. */
export interface Days {
  first?: string;
  last?: string;
  /** IANA name of the workflow's time zone. */
  zone: string;
}

/** Whether a value of the node is that. */
export const isDays = (value: unknown): value is Days => isObject(value) && typeof value.zone === 'string';

/** Which records of a list are wanted, by a day of each. */
export interface DayFilter {
  /** The field that the service is asked by. */
  field: string;
  /** What a person calls that day, e.g. "due date": the labels are the same for all lists. */
  day: string;
  /** The records with that day, so that "on or after this day" can follow, e.g. "invoices due". */
  of: string;
  /** Whether a whole month is offered as well. */
  month?: boolean;
}

/** Where the node keeps the days: under the name of the first parameter. */
export const DAYS_PARAMETER = 'dateFrom';

/**
 * A first and a last day, or a month, of the records to return. They stay with the node, which looks at each record; the
 * service is asked by `daysFilter`.
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
          found: 'a first or last day as well',
          allowed: 'can not be given together with days',
        });
      if (from !== undefined && to !== undefined && from > to)
        return problem({ label: last.label, found: to, allowed: `must not be before ${from}` });
      if (from === undefined && to === undefined) return undefined;
      return { ...(from !== undefined && { first: from }), ...(to !== undefined && { last: to }), zone: timezone };
    },
  );
}

/**
 * What the service is asked for: two days more at either end. Its conditions leave the value itself out, and nothing says
 * in which time zone it tells days apart (service.md#lists).
 */
export const daysFilter = ({ first, last }: Days, field: string): string[] => [
  ...(first === undefined ? [] : [`${field},GREATER,${shifted(first, -2)}`]),
  ...(last === undefined ? [] : [`${field},LESS,${shifted(last, 2)}`]),
];

/** A day as its field gives it. */
const dayIn = (value: unknown) => (typeof value === 'string' ? value.slice(0, 10) : undefined);

/** The first and the last day of a month as its field gives it. */
function monthOf(month: unknown): Pick<Days, 'first' | 'last'> {
  if (typeof month !== 'string') return {};
  const first = DateTime.fromISO(`${month}-01`, { zone: 'utc' });
  return { first: `${month}-01`, last: first.endOf('month').toFormat('yyyy-MM-dd') };
}

const shifted = (day: string, days: number) => DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toISODate();
