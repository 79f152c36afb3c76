import type { PaymentSource } from '../core/cards';
import { billingCard } from '../rules/cards-of-customer';
import { newCustomer, saveCustomer } from '../rules/customers';
import type { Environment } from '../state/environment';
import type { Checkout } from '../state/records';

/**
 * Saves a checkout's payment method in the vault (service.md#checkout). Replaces the card, or adds one and creates a
 * missing customer.
 */
export function savePaymentMethod(environment: Environment, checkout: Checkout, source: PaymentSource): void {
  const { details, merchant_id } = checkout;
  if (details.customer_id === undefined) return;
  const customer = environment.findCustomer(merchant_id, details.customer_id);
  const named = customer?.billing_cards.find((card) => card.card_id === details.card_id);
  if (named) {
    named.source = source;
    return;
  }
  const card = billingCard(environment, source, details);
  if (customer) {
    customer.billing_cards.push({ ...card, primary: customer.billing_cards.length === 0 });
    return;
  }
  const isNamed = (details.customer_first_name && details.customer_last_name) || details.customer_firm_name;
  if (!isNamed) return;
  const { customer_id, customer_first_name, customer_last_name, customer_firm_name, customer_email } = details;
  const fields = { customer_id, customer_first_name, customer_last_name, customer_firm_name, customer_email };
  saveCustomer(environment, newCustomer(environment, merchant_id, fields, [card]));
}
