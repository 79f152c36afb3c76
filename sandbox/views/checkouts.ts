import { toOffsetTimestamp } from '../core/clock';
import { toAmount } from '../core/money';
import type { Environment } from '../state/environment';
import type { Checkout } from '../state/records';
import { transactionResult } from './transactions';

/** Returns the URL of a checkout's hosted page. */
export function checkoutLink(environment: Environment, checkout: Checkout): string {
  return `${environment.baseUrl}/hosted/checkout/${checkout.checkout_id}`;
}

/** Returns a checkout's unpaid amount in cents. */
export function checkoutBalance(checkout: Checkout): number {
  return (checkout.amountCents ?? 0) - checkout.paidCents;
}

/** Builds the response to a checkout's creation (openapi.yaml#CheckoutLink). */
export function checkoutLinkView(environment: Environment, checkout: Checkout) {
  return {
    checkout_id: checkout.checkout_id,
    checkout_link: checkoutLink(environment, checkout),
    merchant_id: Number(checkout.merchant_id),
    purchase_id: checkout.purchase_id,
    amt_tran: checkout.amountCents === undefined ? undefined : toAmount(checkout.amountCents),
    tran_currency: checkout.tran_currency,
    db_timestamp: toOffsetTimestamp(checkout.created),
    expiry_time: toOffsetTimestamp(checkout.expires),
  };
}

/** Builds the response to a request for a checkout link. */
export function checkoutView(environment: Environment, checkout: Checkout) {
  const { details } = checkout;
  return {
    ...checkoutLinkView(environment, checkout),
    amt_balance: toAmount(checkoutBalance(checkout)),
    profile_id: details.profile_id,
    merch_ref_num: details.merch_ref_num,
    customer_first_name: details.customer_first_name,
    customer_last_name: details.customer_last_name,
    customer_email: details.customer_email,
    customer_phone: details.customer_phone,
    billing_addr1: details.billing_addr1,
    billing_state: details.billing_state,
    billing_city: details.billing_city,
    billing_zip: details.billing_zip,
    customer_id: details.customer_id,
    preferences: details.preferences,
    transactions: checkout.transactions.map(transactionResult),
  };
}
