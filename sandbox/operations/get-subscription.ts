import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { findSubscription } from '../rules/subscription-states';
import { subscriptionRecord } from '../views/subscriptions';

export const getSubscription: Handler<'getSubscription'> = ({ environment, path, query }) =>
  success(subscriptionRecord(environment, findSubscription(environment, path.subscription_id, query?.merchant_id)));
