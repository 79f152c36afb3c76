import { invalidFields, noSuchResource } from '../core/refusals';
import type { Environment } from '../state/environment';
import type { Subscription } from '../state/records';
import { platformMerchant } from './merchants';

type State = Subscription['status'];

/** The states in which a change is taken (openapi.yaml#cancelSubscription and its kin). */
const TAKEN_IN = { pause: ['A'], resume: ['P', 'S'], cancel: ['A', 'S', 'P'] } as const satisfies Record<
  string,
  readonly State[]
>;

/** A subscription of the merchant that a request is for, or code 7 at HTTP 404. */
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
 * The subscription whose state a request changes.
 * @throws PlatformRefusal code 2 when it is another customer's, or in a state in which it can not be changed so.
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
