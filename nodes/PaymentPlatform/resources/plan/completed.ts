import type { ValuesOf } from '../../model/operation';
import type { Decision } from '../../model/types';
import { CODE_WORDS } from '../../wire/words';
import { takesInterval } from '../billing-terms';
import { only, comparableText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import type { Plan } from './fields';
import { planDiffers } from './versions';
import { SET_DAYS } from './set-day';

type Change = ValuesOf<'updatePlan'>['body'];

/** Includes the names of fields that repeat the plan's current values. */
interface Completed {
  body: Change;
  kept: string[];
}

const { interval, tran_currency, bill_specific_day } = wire.updatePlan.body;
/** Fields for which the service has a default in updates too (openapi.yaml#UpdateRecurringPlanRequest). */
const WITH_DEFAULTS = [interval, tran_currency, bill_specific_day] as const;

const OF_SET_DAY = ['day_of_week', 'day_of_month', 'month', 'prorate_first_pmt', 'amt_prorate'] as const;

/** Current values that differ from the service's defaults. The service may apply its defaults to omitted fields. */
function currentValues(plan: Plan, given: Change) {
  const often = frequencyOf(plan, given);
  const names = WITH_DEFAULTS.filter(
    ({ name, serverDefault }) => given[name] === undefined && planDiffers(plan, { [name]: serverDefault }),
  ).map(({ name }) => name);
  const days = SET_DAYS.filter(
    ({ name, frequencies }) => given[name] === undefined && Boolean(plan[name]) && frequencies.includes(often ?? NaN),
  ).map(({ name }) => name);
  return {
    ...only(plan, often === undefined || takesInterval(often) ? names : names.filter((name) => name !== 'interval')),
    // A fixed day requires its day.
    ...(names.includes('bill_specific_day') && only(plan, days)),
  };
}

/**
 * Adds fields on which the changes depend (openapi.yaml#UpdateRecurringPlanRequest), and current values that the
 * service might reset. Refuses a change that would make the plan invalid (service.md#plans).
 */
export function completed(plan: Plan, given: Change): Completed | Extract<Decision, { refuse: string }> {
  const current = currentValues(plan, given);
  const body: Change = Object.assign({}, given, current);
  const isGiven = (name: keyof Change) => given[name] !== undefined;
  const ofSetDay = OF_SET_DAY.some(isGiven);
  if (isGiven('amt_prorate')) body.prorate_first_pmt ??= plan.prorate_first_pmt ?? false;
  if (ofSetDay && body.bill_specific_day !== true)
    return { refuse: 'This plan is not billed on a fixed day. Switch on "Bill on a Fixed Day" too' };
  if (isGiven('amt_prorate') && body.prorate_first_pmt !== true)
    return { refuse: 'The first payment of this plan is not prorated. Switch on "Prorate First Payment" too' };
  const refuse = intervalProblem(plan, given) ?? dayProblem(plan, given) ?? trialProblem(plan, given);
  return refuse === undefined ? { body, kept: Object.keys(current) } : { refuse };
}

function frequencyOf(plan: Plan, given: Change): number | undefined {
  const often = comparableText(given.plan_frequency ?? plan.plan_frequency);
  return often === '' ? undefined : Number(often);
}

const inWords = (frequency: number) => CODE_WORDS.getPlan?.plan_frequency?.[frequency] ?? 'otherwise';

function intervalProblem(plan: Plan, given: Change): string | undefined {
  const often = frequencyOf(plan, given);
  if (often === undefined || takesInterval(often)) return undefined;
  if (given.interval !== undefined)
    return `This plan is billed ${inWords(often)}, but "Interval" applies only if Billing Frequency is Weekly or Monthly`;
  const has = Number(plan.interval ?? interval.serverDefault);
  return given.plan_frequency === undefined || has === 1
    ? undefined
    : `This plan has an "Interval" of ${has}, which applies only if Billing Frequency is Weekly or Monthly. Change the interval to 1 before you change the frequency`;
}

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
