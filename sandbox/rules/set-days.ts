import type { DateTime } from 'luxon';

import type { Plan } from '../state/records';

const A_YEAR = 366;
/** Months between charges, by plan_frequency. Daily and weekly frequencies have no entry. */
const MONTHS: Readonly<Record<number, number>> = { 3: 1, 4: 3, 5: 6, 6: 12 };

type SetDay = Pick<Plan, 'bill_specific_day' | 'plan_frequency' | 'day_of_week' | 'day_of_month' | 'month'>;

/** Converts the service's weekday (Sunday is 1) to Luxon's weekday (Sunday is 7). */
const weekdayOf = (day: number) => (day === 1 ? 7 : day - 1);

/** Moves a time to the plan's day of the month. A day past the month's end means the last day. */
export function onDayOfMonth(moment: DateTime, { bill_specific_day, day_of_month }: SetDay): DateTime {
  if (!bill_specific_day || day_of_month === undefined) return moment;
  return moment.set({ day: Math.min(day_of_month, moment.daysInMonth ?? day_of_month) });
}

/** Returns the first billing day on or after a start date, or the start date without a billing day. */
export function firstSetDay(start: DateTime, plan: SetDay): DateTime {
  if (!plan.bill_specific_day) return start;
  const days = Array.from({ length: A_YEAR }, (_, after) => start.plus({ days: after }));
  return days.find((day) => isSetDay(day, plan)) ?? start;
}

function isSetDay(day: DateTime, plan: SetDay): boolean {
  const { day_of_week, day_of_month, month, plan_frequency } = plan;
  const months = MONTHS[plan_frequency];
  if (months === undefined) return day_of_week === undefined || day.weekday === weekdayOf(day_of_week);
  const isInMonth = month === undefined || (day.month - month) % months === 0;
  return isInMonth && (day_of_month === undefined || onDayOfMonth(day, plan).day === day.day);
}
