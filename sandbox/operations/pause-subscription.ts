import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { subscriptionToChange } from '../rules/subscription-states';
import { subscriptionRecord } from '../views/subscriptions';

export const pauseSubscription: Handler<'pauseSubscription'> = ({ environment, path, body }) => {
  const subscription = subscriptionToChange(environment, 'pause', path.subscription_id, body);
  subscription.status = 'P';
  return success(subscriptionRecord(environment, subscription));
};
