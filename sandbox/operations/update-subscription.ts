import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { invalidFields } from '../core/refusals';
import { partsOf } from '../rules/charges';
import { momentField } from '../rules/invoice-dates';
import { planCharge } from '../rules/recurring';
import { chooseCard } from '../rules/subscribers';
import { findSubscription } from '../rules/subscription-states';
import { cardIdOf, subscriptionRecord } from '../views/subscriptions';

/** Changes the start date before a subscription starts, or the card of an active subscription. */
export const updateSubscription: Handler<'updateSubscription'> = ({ environment, path, body }) => {
  const { card_id, profile_id } = body;
  const subscription = findSubscription(environment, path.subscription_id, body.merchant_id);
  const customer = environment.findCustomer(subscription.merchant_id, subscription.customer_id);
  const date_start = momentField('date_start', body.date_start);
  const hasBegun = subscription.cyclesDone > 0 || subscription.date_start <= environment.clock.now();
  if (date_start && (hasBegun || subscription.status !== 'A'))
    throw invalidFields({ date_start: 'can not change: the subscription has begun or is not active' });
  if (card_id !== undefined && subscription.status !== 'A')
    throw invalidFields({ card_id: 'can not change: the subscription must be active' });
  if (card_id && customer) chooseCard(customer, card_id);
  if (profile_id !== undefined && (subscription.status === 'C' || subscription.status === 'D'))
    throw invalidFields({ profile_id: 'can not change: the subscription has ended' });
  if (profile_id !== undefined) subscription.profile_id = profile_id;
  if (card_id !== undefined) {
    subscription.followsPrimary = card_id === '';
    subscription.card_id = card_id === '' ? cardIdOf(subscription, customer) : card_id;
  }
  if (date_start) {
    Object.assign(subscription, { date_start, ...partsOf(subscription, date_start) });
    planCharge(environment, subscription);
  }
  return success(subscriptionRecord(environment, subscription));
};
