import { toDayStamp } from '../core/clock';
import { multiplyCents, toAmount } from '../core/money';
import { without } from '../core/without';
import type { Environment } from '../state/environment';
import type { Customer, Subscription } from '../state/records';
import { customerView } from './customers';
import { transactionResult } from './transactions';

/** Returns the ID of the card that a subscription charges. */
export const cardIdOf = ({ card_id, followsPrimary }: Subscription, customer: Customer | undefined): string =>
  (followsPrimary ? customer?.billing_cards.find(({ primary }) => primary)?.card_id : undefined) ?? card_id;

/** Builds a subscription (openapi.yaml#Subscription). Includes the sale of a one-time fee. */
export function subscriptionView(subscription: Subscription, customer: Customer | undefined) {
  const { plan, setupSale, prorated, trial } = subscription;
  const fee = (cents: number): number => toAmount(multiplyCents(cents, subscription.pct_fee / 100));
  return {
    subscription_id: subscription.subscription_id,
    merchant_id: Number(subscription.merchant_id),
    customer_id: subscription.customer_id,
    card_id: cardIdOf(subscription, customer),
    status: subscription.status,
    profile_id: subscription.profile_id,
    subscription_on_plan: plan !== undefined,
    plan_id: plan?.plan_id,
    plan_name: plan?.plan_name,
    plan_code: plan?.plan_code,
    plan_desc: subscription.plan_desc,
    plan_frequency: subscription.plan_frequency,
    plan_duration: subscription.plan_duration,
    interval: subscription.interval,
    customer_first_name: customer?.customer_first_name,
    customer_last_name: customer?.customer_last_name,
    date_start: toDayStamp(subscription.date_start),
    date_next: subscription.date_next && toDayStamp(subscription.date_next),
    date_end: subscription.date_end && toDayStamp(subscription.date_end),
    amt_setup: toAmount(subscription.setupCents),
    prorate_date_start: prorated && toDayStamp(prorated.start),
    prorate_amt: prorated && toAmount(prorated.cents),
    trial_date_start: trial && toDayStamp(trial.start),
    trial_date_end: trial && toDayStamp(trial.end),
    trial_amt: trial && toAmount(trial.cents),
    recur_date_start: toDayStamp(subscription.recur_start),
    recur_date_end: subscription.date_end && toDayStamp(subscription.date_end),
    recur_amt: toAmount(subscription.amountCents),
    response: setupSale && transactionResult(setupSale),
    customer: customer && customerView(customer),
    tran_currency: subscription.tran_currency,
    pct_fee: subscription.pct_fee,
    amt_tran_fee: {
      setup: fee(subscription.setupCents),
      recurring: fee(subscription.amountCents),
      prorate: fee(prorated?.cents ?? 0),
      trial: fee(trial?.cents ?? 0),
    },
    purchase_id: subscription.purchase_id,
  };
}

/**
 * Builds a stored subscription (openapi.yaml#SubscriptionRecord). Only the creation response contains the sale of a
 * one-time fee.
 */
export function subscriptionRecord(environment: Environment, subscription: Subscription) {
  const customer = environment.findCustomer(subscription.merchant_id, subscription.customer_id);
  return without(subscriptionView(subscription, customer), 'response');
}
