import { hasExpired } from '../core/cards';
import { toAmount } from '../core/money';
import type { Environment } from '../state/environment';
import type { Subscription } from '../state/records';
import { payerOf } from '../views/customers';
import { cardIdOf, subscriptionView } from '../views/subscriptions';
import { chargeAt } from './charges';
import { EXPIRED_CARD, isHardDecline } from './sandbox-amounts';
import { isApproved, runSale } from './sales';

/**
 * Number of daily retries after a soft decline before the service suspends the subscription (service.md#subscriptions).
 */
const MOST_RETRIES = 3;

/** Period after which the service cancels a suspended subscription (service.md#subscriptions). */
const LONGEST_SUSPENSION = { days: 60 };

/** Schedules a subscription's next charge, or the next skipped payment during a pause. */
export function planCharge(environment: Environment, subscription: Subscription): void {
  const { date_next } = subscription;
  if (!isBilled(subscription) || date_next === undefined) return;
  environment.timeline.at(date_next, () => {
    if (!isBilled(subscription) || subscription.date_next !== date_next) return;
    if (subscription.status === 'P') skip(environment, subscription);
    else charge(environment, subscription);
    planCharge(environment, subscription);
  });
}

const isBilled = ({ status }: Subscription): boolean => status === 'A' || status === 'P';

/**
 * Reactivates a paused or suspended subscription. Charges payments missed during a suspension, but not during a pause.
 */
export function resume(environment: Environment, subscription: Subscription): void {
  const wasSuspended = subscription.status === 'S';
  subscription.status = 'A';
  subscription.failedTries = 0;
  if (!wasSuspended) return;
  const now = environment.clock.now();
  while (subscription.status === 'A' && subscription.date_next && subscription.date_next <= now) {
    charge(environment, subscription);
    // Schedules one retry for the next day instead of a retry for each missed day.
    if (subscription.failedTries > 0 && subscription.date_next <= now) subscription.date_next = now.plus({ days: 1 });
  }
  planCharge(environment, subscription);
}

function skip(environment: Environment, subscription: Subscription): void {
  advance(subscription);
  if (!isBilled(subscription)) complete(environment, subscription);
}

function complete(environment: Environment, subscription: Subscription): void {
  const { merchant_id, customer_id } = subscription;
  const customer = environment.findCustomer(merchant_id, customer_id);
  environment.emit('subscription_complete', merchant_id, subscriptionView(subscription, customer));
}

function charge(environment: Environment, subscription: Subscription): void {
  const { merchant_id, customer_id, date_next, date_start, cyclesDone } = subscription;
  const due = chargeAt(subscription, date_start, cyclesDone);
  if (due?.cents === 0) return skip(environment, subscription);
  const customer = environment.findCustomer(merchant_id, customer_id);
  const card_id = cardIdOf(subscription, customer);
  const card = customer?.billing_cards.find((one) => one.card_id === card_id);
  if (!customer || !card || !date_next || !due) return suspend(environment, subscription);
  const sale = runSale(environment, {
    merchantId: merchant_id,
    amountCents: due.cents,
    source: card.source,
    card_id,
    tran_currency: subscription.tran_currency,
    purchase_id: subscription.purchase_id,
    profile_id: subscription.profile_id,
    payer: payerOf(customer),
    recurring: true,
    subscription_id: subscription.subscription_id,
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

export function cancel(subscription: Subscription): void {
  subscription.status = 'C';
  subscription.date_next = undefined;
}

function advance(subscription: Subscription): void {
  subscription.failedTries = 0;
  subscription.cyclesDone += 1;
  subscription.date_next = chargeAt(subscription, subscription.date_start, subscription.cyclesDone)?.date;
  if (!subscription.date_next) subscription.status = 'D';
}

function suspend(environment: Environment, subscription: Subscription): void {
  const suspended = environment.clock.now();
  subscription.status = 'S';
  subscription.suspended = suspended;
  environment.timeline.at(suspended.plus(LONGEST_SUSPENSION), () => {
    if (subscription.status === 'S' && subscription.suspended === suspended) cancel(subscription);
  });
  const { merchant_id, customer_id } = subscription;
  const customer = environment.findCustomer(merchant_id, customer_id);
  environment.emit('subscription_suspended', merchant_id, subscriptionView(subscription, customer));
}
