import type { Handler } from '../calls/call';
import { listPage, type ListQuery } from '../core/lists';
import { platformMerchant } from '../rules/merchants';
import { findSubscription } from '../rules/subscription-states';
import type { Environment } from '../state/environment';
import type { Transaction } from '../state/records';
import { transactionView } from '../views/transactions';

export const getAllSubscriptionTransactions: Handler<'getAllSubscriptionTransactions'> = ({
  environment,
  query,
  recordFields,
}) => {
  const merchantId = platformMerchant(environment, query.merchant_id);
  return transactions(environment, query, recordFields, (one) => one.merchant_id === merchantId);
};

export const getSubscriptionTransactions: Handler<'getSubscriptionTransactions'> = (call) => {
  const { environment, path, query } = call;
  const { subscription_id: id } = findSubscription(environment, path.subscription_id, query.merchant_id);
  return transactions(environment, query, call.recordFields, ({ subscription_id }) => subscription_id === id);
};

function transactions(
  environment: Environment,
  query: ListQuery,
  fields: readonly string[],
  isAsked: (transaction: Transaction) => boolean,
) {
  const records = [...environment.transactions.values()]
    .filter((one) => one.subscription_id !== undefined && isAsked(one) && environment.isListed(one.time))
    .map(transactionView);
  return {
    code: 0,
    message: 'Success',
    ...listPage(records, query, { fields, order_on: 'tran_time', order_by: 'desc' }),
  };
}
