import type { Handler } from '../calls/call';
import { listPage } from '../core/lists';
import { platformMerchant } from '../rules/merchants';
import { planView } from '../views/plans';

/** Lists all versions of all plans, by default by plan code. */
export const browsePlans: Handler<'browsePlans'> = ({ environment, query, recordFields }) => {
  const merchantId = platformMerchant(environment, query?.merchant_id);
  const records = environment.plans
    .filter(({ merchant_id, created }) => merchant_id === merchantId && environment.isListed(created))
    .map(planView);
  const page = listPage(records, query ?? {}, { fields: recordFields, order_on: 'plan_code', order_by: 'asc' });
  return { code: 0, message: 'Success', ...page };
};
