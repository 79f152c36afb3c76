import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { platformMerchant } from '../rules/merchants';
import { findActive, hasSubscribers, termsWith } from '../rules/plans';
import type { Plan } from '../state/records';
import { planView } from '../views/plans';

/**
 * Updates the submitted fields of a plan. If the plan has subscribers, archives the plan and creates an updated copy
 * (openapi.yaml#updatePlan).
 */
export const updatePlan: Handler<'updatePlan'> = ({ environment, path, body }) => {
  const plan = findActive(environment, platformMerchant(environment, body.merchant_id), path.plan_code);
  const terms = termsWith(plan, body);
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
