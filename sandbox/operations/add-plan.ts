import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { invalidFields } from '../core/refusals';
import { platformMerchant } from '../rules/merchants';
import { termsWith } from '../rules/plans';
import type { Plan } from '../state/records';
import { planView } from '../views/plans';

export const addPlan: Handler<'addPlan'> = ({ environment, body }) => {
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
};
