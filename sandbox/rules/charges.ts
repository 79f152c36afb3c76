import type { DateTime } from 'luxon';

import type { Subscription } from '../state/records';
import { cycleDate } from './schedules';
import { firstSetDay, onDayOfMonth } from './set-days';

/** Fields that determine the dates and amounts of a subscription's charges. */
export type Billed = Pick<Subscription, 'plan' | 'plan_frequency' | 'plan_duration' | 'interval' | 'amountCents'>;

interface Charge {
  date: DateTime;
  cents: number;
}

export type Parts = Pick<Subscription, 'date_next' | 'date_end' | 'recur_start' | 'prorated' | 'trial'>;

function proratedPart({ plan }: Billed, start: DateTime): Parts['prorated'] {
  if (!plan?.bill_specific_day || !plan.prorate_first_pmt || firstSetDay(start, plan) <= start) return undefined;
  return { start, cents: plan.prorateCents };
}

/** Returns a charge by index: prorated, trial, then recurring charges. Returns undefined after the last charge. */
export function chargeAt(billed: Billed, start: DateTime, number: number): Charge | undefined {
  const { plan, plan_duration, amountCents } = billed;
  const part = proratedPart(billed, start);
  if (part && number === 0) return { date: start, cents: part.cents };
  const cycle = number - (part ? 1 : 0);
  const trial = plan?.trial_duration ?? 0;
  if (plan_duration >= 0 && cycle >= trial + plan_duration) return undefined;
  const date = cycleDate(billed, plan ? firstSetDay(start, plan) : start, cycle);
  return { date: plan ? onDayOfMonth(date, plan) : date, cents: cycle < trial ? (plan?.trialCents ?? 0) : amountCents };
}

export function partsOf(billed: Billed, start: DateTime): Parts {
  const { plan, plan_duration } = billed;
  const prorated = proratedPart(billed, start);
  const at = (number: number) => chargeAt(billed, start, number + (prorated ? 1 : 0))?.date;
  const trial = plan?.trial_duration ?? 0;
  const [first, recurring] = [at(0), at(trial)];
  const last = at(trial - 1);
  return {
    date_next: chargeAt(billed, start, 0)?.date,
    date_end: plan_duration < 0 ? undefined : (at(Math.max(0, trial + plan_duration - 1)) ?? start),
    recur_start: recurring ?? start,
    prorated,
    trial: trial > 0 && first && last ? { start: first, end: last, cents: plan?.trialCents ?? 0 } : undefined,
  };
}
