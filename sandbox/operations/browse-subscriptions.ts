import type { Handler } from '../calls/call';
import { listPage } from '../core/lists';
import { platformMerchant } from '../rules/merchants';
import { subscriptionRecord } from '../views/subscriptions';

/** Lists subscriptions, by default by the next charge date, latest first. */
export const browseSubscriptions: Handler<'browseSubscriptions'> = ({ environment, query, recordFields }) => {
  const merchantId = platformMerchant(environment, query.merchant_id);
  const records = [...environment.subscriptions.values()]
    .filter(({ merchant_id, created }) => merchant_id === merchantId && environment.isListed(created))
    .map((one) => subscriptionRecord(environment, one));
  const page = listPage(records, query, { fields: recordFields, order_on: 'date_next', order_by: 'desc' });
  return { code: 0, message: 'Success', ...page };
};
