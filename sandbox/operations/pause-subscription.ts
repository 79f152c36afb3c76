import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { subscriptionToChange } from '../rules/subscription-states';
import { subscriptionRecord } from '../views/subscriptions';

/** Pauses an active subscription (openapi.yaml#pauseSubscription). */
export const pauseSubscription: Handler<'pauseSubscription'> = ({ environment, path, body }) => {
  const subscription = subscriptionToChange(environment, 'pause', path.subscription_id, body);
  subscription.status = 'P';
  return success(subscriptionRecord(environment, subscription));
};
