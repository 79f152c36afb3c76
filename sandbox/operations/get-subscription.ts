import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { noSuchResource } from '../core/refusals';
import { without } from '../core/without';
import { platformMerchant } from '../rules/merchants';
import { subscriptionView } from '../views/subscriptions';

/** Looks a subscription up, as it is now (openapi.yaml#getSubscription); the sale of its one-time fee is told at its creation only. */
export const getSubscription: Handler<'getSubscription'> = ({ environment, path, query }) => {
  const subscription = environment.subscriptions.get(path.subscription_id);
  const merchantId = platformMerchant(environment, query.merchant_id);
  if (subscription?.merchant_id !== merchantId) throw noSuchResource('Subscription');
  const customer = environment.findCustomer(merchantId, subscription.customer_id);
  return success(without(subscriptionView(subscription, customer), 'response'));
};
