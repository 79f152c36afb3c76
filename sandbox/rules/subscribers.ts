import { invalidFields } from '../core/refusals';
import type { Body } from '../contract/types';
import type { Environment } from '../state/environment';
import type { BillingCard, Customer } from '../state/records';
import { readBillingCards } from './cards-of-customer';
import { type CustomerFields, newCustomer, ownFields, saveCustomer } from './customers';

/**
 * Returns the requested card, or the customer's primary card by default.
 * @throws PlatformRefusal with code 2 for an unknown card.
 */
export function chooseCard(customer: Customer, cardId: string | undefined): BillingCard {
  const chosen =
    cardId === undefined
      ? (customer.billing_cards.find((card) => card.primary) ?? customer.billing_cards[0])
      : customer.billing_cards.find((card) => card.card_id === cardId);
  if (!chosen)
    throw invalidFields({
      card_id: cardId === undefined ? 'is required: the customer has no card' : 'does not belong to the customer',
    });
  return chosen;
}

/**
 * Finds or creates a subscription's customer (service.md#subscriptions). The caller must call `save`.
 * @throws PlatformRefusal for an invalid field.
 */
export function prepareCustomer(
  environment: Environment,
  merchantId: string,
  body: Body<'addSubscription'>,
): { customer: Customer; save: () => void } {
  const keep = (customer: Customer) => ({ customer, save: () => undefined });
  if (body.customer_id !== undefined && body.customer !== undefined)
    throw invalidFields({ customer: 'must not be given together with customer_id' });
  if (body.customer === undefined) {
    if (body.use_existing_customer) throw invalidFields({ use_existing_customer: 'needs a customer' });
    if (body.customer_id === undefined) throw invalidFields({ customer_id: 'is required unless customer is given' });
    const known = environment.findCustomer(merchantId, body.customer_id);
    if (!known) throw invalidFields({ customer_id: 'is not known' });
    return keep(known);
  }
  const { billing_cards = [], shipping_addresses = [] } = body.customer;
  const fields = ownFields(body.customer);
  const cards = readBillingCards(environment, merchantId, billing_cards, 'customer.billing_cards');
  const match = body.use_existing_customer ? findMatch(environment, merchantId, fields, cards) : undefined;
  if (match) return keep(match);
  const customer = newCustomer(environment, merchantId, fields, cards, shipping_addresses);
  return { customer, save: () => saveCustomer(environment, customer) };
}

/** Finds a customer with the same names and a matching card. */
function findMatch(
  environment: Environment,
  merchantId: string,
  fields: CustomerFields,
  cards: readonly BillingCard[],
): Customer | undefined {
  const fingerprints = cards.map((card) => card.source.fingerprint);
  return environment.customers.find(
    (customer) =>
      customer.merchant_id === merchantId &&
      customer.customer_first_name === fields.customer_first_name &&
      customer.customer_last_name === fields.customer_last_name &&
      customer.customer_firm_name === fields.customer_firm_name &&
      customer.billing_cards.some((card) => fingerprints.includes(card.source.fingerprint)),
  );
}
