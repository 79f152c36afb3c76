import type { Customer, Payer } from '../state/records';

/** Builds a vault customer with masked numbers (openapi.yaml#CustomerVault). */
export function customerView(customer: Customer) {
  const primary = customer.billing_cards.find((card) => card.primary) ?? customer.billing_cards[0];
  return {
    rec_id: customer.rec_id,
    node_id: Number(customer.merchant_id),
    customer_id: customer.customer_id,
    customer_first_name: customer.customer_first_name,
    customer_last_name: customer.customer_last_name,
    customer_firm_name: customer.customer_firm_name,
    customer_phone: customer.customer_phone,
    customer_email: customer.customer_email,
    reference_id: customer.reference_id,
    comments: customer.comments,
    developer_id: customer.developer_id,
    primary_card_number: primary?.source.masked,
    shipping_addresses: customer.shipping_addresses,
    billing_cards: customer.billing_cards.map((card) => ({
      ...card.details,
      card_id: card.card_id,
      card_number: card.source.masked,
      card_type: card.source.card_type,
      exp_date: card.source.exp_date,
      primary: card.primary,
      verified_date: card.verified_date,
    })),
  };
}

/** Converts a vault customer to a transaction's payer. */
export function payerOf(customer: Customer): Payer {
  const { customer_id, customer_first_name, customer_last_name, customer_firm_name, customer_email, customer_phone } =
    customer;
  const card = customer.billing_cards.find((candidate) => candidate.primary) ?? customer.billing_cards[0];
  const names = ['billing_addr1', 'billing_addr2', 'billing_city', 'billing_state', 'billing_zip', 'billing_country'];
  const address = Object.fromEntries(names.map((name) => [name, card?.details[name]]));
  return {
    customer_id,
    customer_first_name,
    customer_last_name,
    customer_firm_name,
    customer_email,
    customer_phone,
    ...address,
  };
}
