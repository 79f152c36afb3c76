import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { noSuchResource } from '../core/refusals';
import { platformMerchant } from '../rules/merchants';
import { cancelSubscriptions } from '../rules/plans';
import { planView } from '../views/plans';

/** Deletes a plan and cancels its subscriptions. The plan remains readable. */
export const deletePlan: Handler<'deletePlan'> = ({ environment, path, query }) => {
  const merchantId = platformMerchant(environment, query?.merchant_id);
  const plan = environment.plans.find((one) => one.merchant_id === merchantId && one.plan_id === path.plan_id);
  if (!plan || plan.status === 'D') throw noSuchResource('Plan');
  cancelSubscriptions(environment, plan);
  return success(planView(Object.assign(plan, { status: 'D', modified: environment.clock.now() })));
};
