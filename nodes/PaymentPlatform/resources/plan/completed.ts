import type { ValuesOf } from '../../model/operation';
import type { Decision } from '../../model/types';
import { CODE_WORDS } from '../../wire/words';
import { takesInterval } from '../billing-terms';
import { comparableText } from '../../model/footprint';
import type { Plan } from './fields';
import { SET_DAYS } from './set-day';

type Change = ValuesOf<'updatePlan'>['body'];

/** Fields that are valid only with a fixed billing day, including the fields of a prorated first payment. */
const OF_SET_DAY = ['day_of_week', 'day_of_month', 'month', 'prorate_first_pmt', 'amt_prorate'] as const;

/**
 * Adds the fields on which the changed fields depend. For example, the service accepts a day only together with its
 * switch (openapi.yaml#UpdateRecurringPlanRequest). Refuses a change if the service would not accept the resulting plan
 * as a new plan (service.md#plans).
 */
export function completed(plan: Plan, given: Change): { body: Change } | Extract<Decision, { refuse: string }> {
  const body = { ...given };
  const isGiven = (name: keyof Change) => given[name] !== undefined;
  const ofSetDay = OF_SET_DAY.some(isGiven);
  if (ofSetDay) body.bill_specific_day ??= plan.bill_specific_day ?? false;
  if (isGiven('amt_prorate')) body.prorate_first_pmt ??= plan.prorate_first_pmt ?? false;
  if (ofSetDay && body.bill_specific_day !== true)
    return { refuse: 'This plan is not billed on a fixed day. Switch on "Bill on a Fixed Day" too' };
  if (isGiven('amt_prorate') && body.prorate_first_pmt !== true)
    return { refuse: 'The first payment of this plan is not prorated. Switch on "Prorate First Payment" too' };
  const refuse = intervalProblem(plan, given) ?? dayProblem(plan, given) ?? trialProblem(plan, given);
  return refuse === undefined ? { body } : { refuse };
}

/** Returns the billing frequency of the changed plan, or `undefined` if the frequency is unknown. */
function frequencyOf(plan: Plan, given: Change): number | undefined {
  const often = comparableText(given.plan_frequency ?? plan.plan_frequency);
  return often === '' ? undefined : Number(often);
}

const inWords = (frequency: number) => CODE_WORDS.getPlan?.plan_frequency?.[frequency] ?? 'otherwise';

function intervalProblem(plan: Plan, given: Change): string | undefined {
  const often = frequencyOf(plan, given);
  if (often === undefined || takesInterval(often)) return undefined;
  if (given.interval !== undefined)
    return `This plan is billed ${inWords(often)}, but "Interval" applies only to the Billing Frequency Weekly or Monthly`;
  const has = Number(plan.interval ?? 1);
  return given.plan_frequency === undefined || has === 1
    ? undefined
    : `This plan has an "Interval" of ${has}, which applies only to the Billing Frequency Weekly or Monthly. Change the interval to 1 before you change the frequency`;
}

/**
 * Returns a problem if the fixed billing day doesn't match the billing frequency. Checks the day if the item changes
 * the day or the frequency.
 */
function dayProblem(plan: Plan, given: Change): string | undefined {
  const decide = ['bill_specific_day', 'plan_frequency', ...SET_DAYS.map(({ name }) => name)] as const;
  const often = frequencyOf(plan, given);
  if (often === undefined || (given.bill_specific_day ?? plan.bill_specific_day) !== true) return undefined;
  if (decide.every((name) => given[name] === undefined)) return undefined;
  const fitting = SET_DAYS.filter(({ frequencies }) => frequencies.includes(often));
  if (fitting.length === 0)
    return `A plan that is billed ${inWords(often)} has no fixed day. Switch off 'Bill on a Fixed Day'`;
  const other = SET_DAYS.find(({ name, frequencies }) => given[name] !== undefined && !frequencies.includes(often));
  if (other) return `This plan is billed ${inWords(often)}, so "${other.label}" does not apply`;
  if (fitting.some(({ name }) => Boolean(given[name] ?? plan[name]))) return undefined;
  const labels = fitting.map(({ label }) => `a "${label}"`).join(' or ');
  return `This plan has no fixed day. To bill ${inWords(often)} on a fixed day, enter ${labels} too`;
}

function trialProblem(plan: Plan, given: Change): string | undefined {
  if (given.amt_trial === undefined || Number(given.trial_duration ?? plan.trial_duration ?? 0) > 0) return undefined;
  return 'This plan has no trial. Fill "Trial Payments" too';
}
