import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { cancel } from '../rules/recurring';
import { subscriptionToChange } from '../rules/subscription-states';
import { subscriptionRecord } from '../views/subscriptions';

export const cancelSubscription: Handler<'cancelSubscription'> = ({ environment, path, body }) => {
  const subscription = subscriptionToChange(environment, 'cancel', path.subscription_id, body);
  cancel(subscription);
  return success(subscriptionRecord(environment, subscription));
};
