import { DateTime } from 'luxon';

import { asText, isObject } from '../../shared/objects';
import { choice } from './choice';
import { calendarDate, calendarMonth, now } from './date';
import { composite } from './composite';
import { when } from './when';
import type { CompositeField, ValueField } from '../types';

/** First and last day as yyyy-MM-dd, both included. */
export interface Days {
  first?: string;
  last?: string;
  /** IANA name. */
  zone: string;
}

export const isDays = (value: unknown): value is Days => isObject(value) && typeof value.zone === 'string';

export interface DayFilter {
  field: string;
  /** Text before "in this period" in the panel, such as "invoices due". */
  of: string;
  /** Users select months instead of days. */
  month?: true;
  ahead?: true;
}

export const DAYS_PARAMETER = 'dateFrom';

type Period = (today: DateTime) => [DateTime, DateTime];

const PERIODS: Record<string, { name: string; period: Period }> = {
  today: { name: 'Today', period: (today) => [today, today] },
  yesterday: { name: 'Yesterday', period: (today) => [today.minus({ days: 1 }), today.minus({ days: 1 })] },
  last7Days: { name: 'Last 7 Days', period: (today) => [today.minus({ days: 6 }), today] },
  last30Days: { name: 'Last 30 Days', period: (today) => [today.minus({ days: 29 }), today] },
  next7Days: { name: 'Next 7 Days', period: (today) => [today, today.plus({ days: 6 })] },
  thisMonth: { name: 'This Month', period: (today) => monthOf(today) },
  lastMonth: { name: 'Last Month', period: (today) => monthOf(today.minus({ months: 1 })) },
};
const IN_LISTS = ['today', 'yesterday', 'last7Days', 'last30Days', 'thisMonth', 'lastMonth'];
const AHEAD = ['today', 'next7Days', 'thisMonth', 'lastMonth'];
const OF_MONTHS = ['thisMonth', 'lastMonth'];

const monthOf = (day: DateTime): [DateTime, DateTime] => [day.startOf('month'), day.endOf('month')];

function periodChoice({ of, month, ahead }: DayFilter): ValueField {
  const moving = month ? OF_MONTHS : ahead ? AHEAD : IN_LISTS;
  return choice({
    name: 'period',
    label: 'Period',
    description: `Return only ${of} in this period, in the workflow's time zone`,
    place: 'node',
    options: [
      { name: 'Any Time', value: 'any' },
      ...moving.map((value) => ({ name: PERIODS[value]?.name ?? value, value })),
      ...(month ? [{ name: 'Choose a Month', value: 'month' }] : []),
      { name: 'Choose Dates', value: 'dates' },
    ],
  });
}

/** Relative period, month or two dates. */
export function daysField(list: DayFilter): CompositeField {
  const { month: byMonth } = list;
  const period = periodChoice(list);
  const day = (name: string, label: string, description: string) =>
    when(period, ['dates'], calendarDate({ name, label, description }));
  const first = day(DAYS_PARAMETER, 'From Date', 'First day to include. Leave empty to include all earlier days.');
  const last = day('dateTo', 'To Date', 'Last day to include. Leave empty to include all later days.');
  const month = when(
    period,
    ['month'],
    calendarMonth({
      name: 'month',
      label: 'Month',
      description: 'Month to include',
      placeholder: 'e.g. 2026-03',
    }),
    { required: true, unmarked: true },
  );
  const parts = [period, first, last, ...(byMonth ? [month] : [])];
  return composite({ ...first, place: 'node' }, parts, ({ read, problem, timezone: zone }) => {
    const today = now(zone);
    const ofMonth = byMonth ? dayIn(read(month)) : undefined;
    const moving =
      PERIODS[asText(read(period))]?.period(today) ??
      (ofMonth === undefined ? undefined : monthOf(DateTime.fromISO(ofMonth, { zone })));
    const [from, to] = moving?.map((one) => one.toFormat('yyyy-MM-dd')) ?? [dayIn(read(first)), dayIn(read(last))];
    if (from !== undefined && to !== undefined && from > to)
      return problem({ label: last.label, found: to, allowed: `must not be before ${from}` });
    if (from === undefined && to === undefined) return undefined;
    const start = byMonth ? from?.replace(/..$/, '01') : from;
    return { ...(start !== undefined && { first: start }), ...(to !== undefined && { last: to }), zone };
  });
}

/**
 * Adds two days at each end of a period, because the service may exclude the boundary and doesn't document its time
 * zone (service.md#lists).
 */
export const daysFilter = ({ first, last }: Days, field: string): string[] => [
  ...(first === undefined ? [] : [`${field},GREATER,${shifted(first, -2)}`]),
  ...(last === undefined ? [] : [`${field},LESS,${shifted(last, 2)}`]),
];

const dayIn = (value: unknown) => (typeof value === 'string' ? value.slice(0, 10) : undefined);

const shifted = (day: string, days: number) => DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toISODate();
