import type { Handler } from '../calls/call';
import { DEFAULT_CURRENCY } from '../core/currency';
import { success } from '../core/envelopes';
import { platformMerchant } from '../rules/merchants';
import { findActive, hasSubscribers, termsWith } from '../rules/plans';
import type { Plan } from '../state/records';
import { planView } from '../views/plans';

/** Defaults that the reference documents for updates too. */
const DEFAULTS = { interval: 1, tran_currency: DEFAULT_CURRENCY, bill_specific_day: false };

/**
 * Updates a plan's submitted fields, and resets omitted fields to their documented defaults. If the plan has
 * subscribers, archives it and updates a copy.
 */
export const updatePlan: Handler<'updatePlan'> = ({ environment, path, body }) => {
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
};
