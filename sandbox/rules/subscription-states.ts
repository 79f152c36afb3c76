import { invalidFields, noSuchResource } from '../core/refusals';
import type { Environment } from '../state/environment';
import type { Subscription } from '../state/records';
import { platformMerchant } from './merchants';

type State = Subscription['status'];

const TAKEN_IN = { pause: ['A'], resume: ['P', 'S'], cancel: ['A', 'S', 'P'] } as const satisfies Record<
  string,
  readonly State[]
>;

/**
 * Returns a subscription of the request's merchant.
 * @throws PlatformRefusal with code 7 for an unknown subscription.
 */
export function findSubscription(
  environment: Environment,
  id: number,
  merchantId: number | string | undefined,
): Subscription {
  const subscription = environment.subscriptions.get(id);
  if (subscription?.merchant_id !== platformMerchant(environment, merchantId)) throw noSuchResource('Subscription');
  return subscription;
}

/**
 * Returns the subscription to change.
 * @throws PlatformRefusal if another customer owns it or its state is wrong.
 */
export function subscriptionToChange(
  environment: Environment,
  change: keyof typeof TAKEN_IN,
  id: number,
  { customer_id, merchant_id }: { customer_id: string; merchant_id?: number },
): Subscription {
  const subscription = findSubscription(environment, id, merchant_id);
  if (subscription.customer_id !== customer_id)
    throw invalidFields({ customer_id: 'is not the customer of the subscription' });
  const states: readonly State[] = TAKEN_IN[change];
  if (!states.includes(subscription.status))
    throw invalidFields({ status: `must be ${states.join(' or ')}: the subscription is ${subscription.status}` });
  return subscription;
}
