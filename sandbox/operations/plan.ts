import type { Handlers } from '../calls/described';
import { DEFAULT_CURRENCY } from '../core/currency';
import { success } from '../core/envelopes';
import { listAnswer } from '../core/lists';
import { invalidFields, noSuchResource } from '../core/refusals';
import { platformMerchant } from '../rules/merchants';
import { cancelSubscriptions, findActive, findVersions, hasSubscribers, termsWith } from '../rules/plans';
import type { Plan } from '../state/records';
import { planView } from '../views/plans';

/** Defaults that the reference documents for updates too. */
const DEFAULTS = { interval: 1, tran_currency: DEFAULT_CURRENCY, bill_specific_day: false };

export const planHandlers = {
  /** Lists all versions of all plans, by default by plan code. */
  browsePlans: (call) => {
    const { environment, query } = call;
    const merchantId = platformMerchant(environment, query?.merchant_id);
    const records = environment.plans
      .filter(({ merchant_id, created }) => merchant_id === merchantId && environment.isListed(created))
      .map(planView);
    return listAnswer(records, call, 'plan_code', 'asc');
  },

  addPlan: ({ environment, body }) => {
    const { plan_code, merchant_id, ...given } = body;
    const merchantId = platformMerchant(environment, merchant_id);
    const isTaken = environment.plans.some(
      (one) => one.merchant_id === merchantId && one.plan_code === plan_code && one.status === 'E',
    );
    if (isTaken) throw invalidFields({ plan_code: 'is already taken' });
    const terms = termsWith(undefined, given);
    const now = environment.clock.now();
    const plan: Plan = {
      plan_id: environment.ids.nextNumber('plan', 401),
      merchant_id: merchantId,
      plan_code,
      status: 'E',
      ...terms,
      created: now,
      modified: now,
    };
    environment.plans.push(plan);
    return success(planView(plan));
  },

  getPlan: (call) => {
    const { environment, path, query } = call;
    const merchantId = platformMerchant(environment, query?.merchant_id);
    const records = findVersions(environment, merchantId, path.plan_code).map(planView);
    return listAnswer(records, call, 'plan_code', 'asc');
  },

  /**
   * Updates a plan's submitted fields, and resets omitted fields to their documented defaults. If the plan has
   * subscribers, archives it and updates a copy.
   */
  updatePlan: ({ environment, path, body }) => {
    const plan = findActive(environment, platformMerchant(environment, body.merchant_id), path.plan_code);
    const terms = termsWith({ ...plan, ...DEFAULTS }, body);
    const now = environment.clock.now();
    if (!hasSubscribers(environment, plan)) return success(planView(Object.assign(plan, terms, { modified: now })));
    const copy: Plan = {
      ...plan,
      ...terms,
      plan_id: environment.ids.nextNumber('plan', 401),
      created: now,
      modified: now,
    };
    Object.assign(plan, { status: 'A', modified: now });
    environment.plans.push(copy);
    return success(planView(copy));
  },

  /** Closes a plan to new subscribers. Existing subscriptions continue. */
  archivePlan: ({ environment, path, body }) => {
    const plan = findActive(environment, platformMerchant(environment, body?.merchant_id), path.plan_code);
    return success(planView(Object.assign(plan, { status: 'A', modified: environment.clock.now() })));
  },

  /** Deletes a plan and cancels its subscriptions. The plan remains readable. */
  deletePlan: ({ environment, path, query }) => {
    const merchantId = platformMerchant(environment, query?.merchant_id);
    const plan = environment.plans.find((one) => one.merchant_id === merchantId && one.plan_id === path.plan_id);
    if (!plan || plan.status === 'D') throw noSuchResource('Plan');
    cancelSubscriptions(environment, plan);
    return success(planView(Object.assign(plan, { status: 'D', modified: environment.clock.now() })));
  },
} satisfies Partial<Handlers>;
