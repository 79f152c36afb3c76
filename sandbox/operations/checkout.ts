import type { Handlers } from '../calls/described';
import type { Body } from '../contract/types';
import { DEFAULT_CURRENCY } from '../core/currency';
import { success } from '../core/envelopes';
import { toCents } from '../core/money';
import { invalidFields, noSuchResource } from '../core/refusals';
import { without } from '../core/without';
import { platformMerchant } from '../rules/merchants';
import type { Environment } from '../state/environment';
import type { Checkout } from '../state/records';
import { checkoutLinkView, checkoutView } from '../views/checkouts';

const DEFAULT_LIFETIME_SECONDS = 6000;

export const checkoutHandlers = {
  /** Creates a link to a page that accepts a payment or saves a payment method. */
  addCheckout: ({ environment, body }) => {
    const merchant_id = platformMerchant(environment, undefined);
    const amountCents = body.amt_tran === undefined ? undefined : toCents(body.amt_tran);
    if (body.amt_tran !== undefined && (amountCents === undefined || amountCents <= 0))
      throw invalidFields({ amt_tran: 'must be above zero with at most two decimals' });
    checkVaultRules(environment, merchant_id, body);
    const created = environment.clock.now();
    const checkout: Checkout = {
      checkout_id: environment.ids.nextText('checkout'),
      merchant_id,
      details: without(body, 'amt_tran', 'tran_currency', 'purchase_id', 'checkout_profile_id', 'moto_ecomm_ind'),
      purchase_id: body.purchase_id ?? `P${environment.ids.nextNumber('purchase', 100_001)}`,
      amountCents,
      paidCents: 0,
      tran_currency: body.tran_currency ?? DEFAULT_CURRENCY,
      created,
      expires: created.plus({ seconds: body.preferences?.expire_in_secs ?? DEFAULT_LIFETIME_SECONDS }),
      used: false,
      transactions: [],
      hostedAttempts: 0,
    };
    environment.checkouts.set(checkout.checkout_id, checkout);
    return success(checkoutLinkView(environment, checkout));
  },

  /** Returns a checkout link, even if used or expired. */
  getCheckout: ({ environment, path }) => {
    const checkout = environment.checkouts.get(path.checkoutId);
    if (!checkout) throw noSuchResource('Checkout');
    return success(checkoutView(environment, checkout));
  },
} satisfies Partial<Handlers>;

function checkVaultRules(environment: Environment, merchantId: string, body: Body<'addCheckout'>): void {
  const { customer_id, card_id, amt_tran, preferences } = body;
  const saves = amt_tran === undefined || preferences?.allow_save_card === true;
  if (customer_id === undefined) {
    if (amt_tran === undefined)
      throw invalidFields({ amt_tran: 'is required unless customer_id is given to save a payment method' });
    if (saves) throw invalidFields({ customer_id: 'is required to save a payment method' });
    if (preferences?.show_saved_payment_methods === true)
      throw invalidFields({ customer_id: 'is required to show saved payment methods' });
    if (card_id !== undefined) throw invalidFields({ customer_id: 'is required with a card_id' });
    return;
  }
  const customer = environment.findCustomer(merchantId, customer_id);
  const isNamed = (body.customer_first_name && body.customer_last_name) || body.customer_firm_name;
  if (saves && !customer && !isNamed)
    throw invalidFields({
      customer_firm_name: 'is required for a new customer unless a first and last name are given',
    });
  if (card_id !== undefined && !customer?.billing_cards.some((card) => card.card_id === card_id))
    throw invalidFields({ card_id: 'does not belong to the customer' });
}
