import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { assertNoneTwice, readBillingCards, withOnePrimary, withPrimary } from '../rules/cards-of-customer';
import { findVaultCustomer } from '../rules/customers';
import { customerView } from '../views/customers';

/** Adds a card to a customer. The first card becomes primary. */
export const addBillingCard: Handler<'addBillingCard'> = ({ environment, path, body }) => {
  const customer = findVaultCustomer(environment, path.customer_id, body.merchant_id);
  const added = readBillingCards(environment, customer.merchant_id, [body]);
  const cards = [...customer.billing_cards, ...added];
  assertNoneTwice(cards);
  const chosen = added.find(({ primary }) => primary);
  customer.billing_cards = chosen ? withPrimary(cards, chosen.card_id) : withOnePrimary(cards);
  return success(customerView(customer));
};
