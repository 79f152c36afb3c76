import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { resume } from '../rules/recurring';
import { subscriptionToChange } from '../rules/subscription-states';
import { subscriptionRecord } from '../views/subscriptions';

export const resumeSubscription: Handler<'resumeSubscription'> = ({ environment, path, body }) => {
  const subscription = subscriptionToChange(environment, 'resume', path.subscription_id, body);
  resume(environment, subscription);
  return success(subscriptionRecord(environment, subscription));
};
