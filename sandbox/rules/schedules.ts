import type { DateTime, DurationLikeObject } from 'luxon';

import type { Subscription } from '../state/records';

/** Length of one billing cycle by plan_frequency (service.md#letters). */
const CYCLES: Readonly<Record<number, DurationLikeObject>> = {
  0: { weeks: 1 },
  1: { weeks: 2 },
  3: { months: 1 },
  4: { months: 3 },
  5: { months: 6 },
  6: { years: 1 },
  7: { days: 1 },
};

/** plan_frequency codes for which `interval` sets the number of weeks or months. */
const STRETCHABLE: readonly number[] = [0, 3];

/**
 * Returns the date of a billing cycle, numbered from 0. Counts from the start date, so that a short month doesn't move
 * later dates.
 */
export function cycleDate(
  { plan_frequency, interval }: Pick<Subscription, 'plan_frequency' | 'interval'>,
  start: DateTime,
  cycle: number,
): DateTime {
  const factor = cycle * (STRETCHABLE.includes(plan_frequency) ? Math.max(1, interval) : 1);
  const length = CYCLES[plan_frequency] ?? { months: 1 };
  return start.plus(Object.fromEntries(Object.entries(length).map(([unit, value]) => [unit, Number(value) * factor])));
}
