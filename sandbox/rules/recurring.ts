import { hasExpired } from '../core/cards';
import { toAmount } from '../core/money';
import type { Environment } from '../state/environment';
import type { Subscription } from '../state/records';
import { payerOf } from '../views/customers';
import { subscriptionView } from '../views/subscriptions';
import { EXPIRED_CARD, isHardDecline } from './sandbox-amounts';
import { isApproved, runSale } from './sales';
import { cycleDate } from './schedules';

/**
 * A soft decline is tried again on so many days before the subscription is suspended (docs/service.md#subscriptions).
 */
const MOST_RETRIES = 3;

/** Plans the next charge of an active subscription, at its date. Nothing comes of it when the date was changed since. */
export function planCharge(environment: Environment, subscription: Subscription): void {
  const { status, date_next } = subscription;
  if (status !== 'A' || date_next === undefined) return;
  environment.timeline.at(date_next, () => {
    if (subscription.status !== 'A' || subscription.date_next !== date_next) return;
    charge(environment, subscription);
    planCharge(environment, subscription);
  });
}

function charge(environment: Environment, subscription: Subscription): void {
  const { merchant_id, customer_id, card_id, date_next } = subscription;
  const customer = environment.findCustomer(merchant_id, customer_id);
  const card = customer?.billing_cards.find((one) => one.card_id === card_id);
  if (!customer || !card || !date_next) return suspend(environment, subscription);
  const sale = runSale(environment, {
    merchantId: merchant_id,
    amountCents: subscription.amountCents,
    source: card.source,
    card_id,
    tran_currency: subscription.tran_currency,
    purchase_id: subscription.purchase_id,
    profile_id: subscription.profile_id,
    payer: payerOf(customer),
    recurring: true,
    ...(hasExpired(card.source, environment.clock.now()) && { declinedWith: EXPIRED_CARD }),
  });
  const { pg_id, rcode, auth_code, requestedCents } = sale;
  const facts = () => ({
    ...subscriptionView(subscription, customer),
    pg_id,
    rcode,
    auth_code,
    amt_tran: toAmount(requestedCents),
  });
  if (isApproved(sale)) {
    advance(subscription);
    environment.emit('subscription_payment_success', merchant_id, facts());
    if (subscription.status === 'D') environment.emit('subscription_complete', merchant_id, facts());
    return;
  }
  environment.emit('subscription_payment_failure', merchant_id, facts());
  subscription.failedTries = (subscription.failedTries ?? 0) + 1;
  if (isHardDecline(rcode) || subscription.failedTries > MOST_RETRIES) return suspend(environment, subscription);
  subscription.date_next = date_next.plus({ days: 1 });
}

function advance(subscription: Subscription): void {
  subscription.failedTries = 0;
  subscription.cyclesDone += 1;
  const finished = subscription.plan_duration >= 0 && subscription.cyclesDone >= subscription.plan_duration;
  subscription.date_next = finished
    ? undefined
    : cycleDate(subscription, subscription.date_start, subscription.cyclesDone);
  if (finished) subscription.status = 'D';
}

function suspend(environment: Environment, subscription: Subscription): void {
  subscription.status = 'S';
  const { merchant_id, customer_id } = subscription;
  const customer = environment.findCustomer(merchant_id, customer_id);
  environment.emit('subscription_suspended', merchant_id, subscriptionView(subscription, customer));
}
