import { toOffsetTimestamp } from '../core/clock';
import { toAmount } from '../core/money';
import type { Environment } from '../state/environment';
import type { Checkout } from '../state/records';
import { transactionResult } from './transactions';

/** Address of the hosted page of a checkout. */
export function checkoutLink(environment: Environment, checkout: Checkout): string {
  return `${environment.baseUrl}/hosted/checkout/${checkout.checkout_id}`;
}

/** What is still to be paid, in cents. */
export function checkoutBalance(checkout: Checkout): number {
  return (checkout.amountCents ?? 0) - checkout.paidCents;
}

/** The answer to creating a link (openapi.yaml#CheckoutLink). */
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

/** The answer to looking a link up. */
export function checkoutView(environment: Environment, checkout: Checkout) {
  const { request } = checkout;
  return {
    ...checkoutLinkView(environment, checkout),
    amt_balance: toAmount(checkoutBalance(checkout)),
    profile_id: request.profile_id,
    merch_ref_num: request.merch_ref_num,
    customer_first_name: request.customer_first_name,
    customer_last_name: request.customer_last_name,
    customer_email: request.customer_email,
    customer_phone: request.customer_phone,
    billing_addr1: request.billing_addr1,
    billing_state: request.billing_state,
    billing_city: request.billing_city,
    billing_zip: request.billing_zip,
    customer_id: request.customer_id,
    preferences: request.preferences,
    transactions: checkout.transactions.map(transactionResult),
  };
}
