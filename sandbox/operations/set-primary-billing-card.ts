import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { findCard, withPrimary } from '../rules/cards-of-customer';
import { findVaultCustomer } from '../rules/customers';
import { customerView } from '../views/customers';

export const setPrimaryBillingCard: Handler<'setPrimaryBillingCard'> = ({ environment, path, body }) => {
  const customer = findVaultCustomer(environment, path.customer_id, body.merchant_id);
  customer.billing_cards = withPrimary(customer.billing_cards, findCard(customer, body.card_id).card_id);
  return success(customerView(customer));
};
