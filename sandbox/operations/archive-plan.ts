import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { platformMerchant } from '../rules/merchants';
import { findActive } from '../rules/plans';
import { planView } from '../views/plans';

/** Closes a plan to new subscribers. Existing subscriptions continue. */
export const archivePlan: Handler<'archivePlan'> = ({ environment, path, body }) => {
  const plan = findActive(environment, platformMerchant(environment, body?.merchant_id), path.plan_code);
  return success(planView(Object.assign(plan, { status: 'A', modified: environment.clock.now() })));
};
