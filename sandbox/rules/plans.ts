import type { Body } from '../contract/types';
import { DEFAULT_CURRENCY } from '../core/currency';
import { toCents } from '../core/money';
import { without } from '../core/without';
import { invalidFields, noSuchResource, PlatformRefusal } from '../core/refusals';
import type { Environment } from '../state/environment';
import type { Plan, PlanTerms } from '../state/records';

type Terms = Body<'updatePlan'>;

const WEEKLY = 0;
const MONTHLY = 3;
/** Statuses of subscriptions that the service charges now or may charge later. */
const LIVE: ReadonlySet<string> = new Set(['A', 'P', 'S']);

/** Fields that are valid only if bill_specific_day is true. */
const OF_SET_DAY = ['day_of_week', 'day_of_month', 'month', 'prorate_first_pmt'] as const;

/**
 * Returns all versions of a merchant's plan, oldest first.
 * @throws PlatformRefusal with code 7 for an unknown plan.
 */
export function findVersions(environment: Environment, merchantId: string, code: string): Plan[] {
  const versions = environment.plans.filter((plan) => plan.merchant_id === merchantId && plan.plan_code === code);
  if (versions.length === 0) throw noSuchResource('Plan');
  return versions;
}

/**
 * Returns the active version of a plan.
 * @throws PlatformRefusal for an inactive or unknown plan.
 */
export function findActive(environment: Environment, merchantId: string, code: string): Plan {
  const active = findVersions(environment, merchantId, code).find(({ status }) => status === 'E');
  if (!active)
    throw new PlatformRefusal(2, 'Plan is not active', 400, { plan_code: 'names a plan that is not active' });
  return active;
}

/** Returns whether the service charges any of the plan's subscriptions, now or later. */
export const hasSubscribers = (environment: Environment, plan: Plan): boolean =>
  subscriptionsOf(environment, plan).some(({ status }) => LIVE.has(status));

const subscriptionsOf = ({ subscriptions }: Environment, plan: Plan) =>
  [...subscriptions.values()].filter((one) => one.plan === plan);

export function cancelSubscriptions(environment: Environment, plan: Plan): void {
  for (const one of subscriptionsOf(environment, plan)) {
    if (!LIVE.has(one.status)) continue;
    one.status = 'C';
    one.date_next = undefined;
  }
}

const cents = (amount: number | undefined) => (amount === undefined ? undefined : toCents(amount));

/**
 * Merges a request's fields with the terms of a plan.
 * @throws PlatformRefusal with code 2 for conflicting fields.
 */
export function termsWith(was: PlanTerms | undefined, given: Terms): PlanTerms {
  const setDay = given.bill_specific_day ?? was?.bill_specific_day ?? false;
  const prorated = given.prorate_first_pmt ?? was?.prorate_first_pmt ?? false;
  const early = OF_SET_DAY.find((name) => given[name] !== undefined && given[name] !== false && !setDay);
  if (early) throw invalidFields({ [early]: 'applies only with bill_specific_day' });
  if (given.amt_prorate !== undefined && !prorated)
    throw invalidFields({ amt_prorate: 'applies only with prorate_first_pmt' });
  const frequency = given.plan_frequency ?? was?.plan_frequency ?? MONTHLY;
  if (given.interval !== undefined && frequency !== WEEKLY && frequency !== MONTHLY)
    throw invalidFields({ interval: 'applies to a weekly or monthly plan_frequency only' });
  const { amt_tran, amt_setup, amt_trial, amt_prorate, ...rest } = without(given, 'merchant_id');
  return {
    ...{ plan_name: '', plan_desc: '', plan_duration: -1, interval: 1, trial_duration: 0 },
    tran_currency: DEFAULT_CURRENCY,
    ...was,
    ...rest,
    plan_frequency: frequency,
    bill_specific_day: setDay,
    prorate_first_pmt: prorated,
    amountCents: cents(amt_tran) ?? was?.amountCents ?? 0,
    setupCents: cents(amt_setup) ?? was?.setupCents ?? 0,
    trialCents: cents(amt_trial) ?? was?.trialCents ?? 0,
    prorateCents: cents(amt_prorate) ?? was?.prorateCents ?? 0,
  };
}
