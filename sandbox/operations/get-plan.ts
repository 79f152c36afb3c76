import type { Handler } from '../calls/call';
import { listPage } from '../core/lists';
import { platformMerchant } from '../rules/merchants';
import { findVersions } from '../rules/plans';
import { planView } from '../views/plans';

export const getPlan: Handler<'getPlan'> = ({ environment, path, query, recordFields }) => {
  const merchantId = platformMerchant(environment, query?.merchant_id);
  const records = findVersions(environment, merchantId, path.plan_code).map(planView);
  const page = listPage(records, query ?? {}, { fields: recordFields, order_on: 'plan_code', order_by: 'asc' });
  return { code: 0, message: 'Success', ...page };
};
