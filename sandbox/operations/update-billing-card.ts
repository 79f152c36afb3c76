import type { Handler } from '../calls/call';
import { toServiceStamp } from '../core/clock';
import { success } from '../core/envelopes';
import { cardDetails, findCard, withPrimary } from '../rules/cards-of-customer';
import { findVaultCustomer } from '../rules/customers';
import { customerView } from '../views/customers';

export const updateBillingCard: Handler<'updateBillingCard'> = ({ environment, path, body }) => {
  const customer = findVaultCustomer(environment, path.customer_id, body.merchant_id);
  const card = findCard(customer, body.card_id);
  card.source = { ...card.source, exp_date: body.exp_date };
  card.details = cardDetails(body);
  if (body.verify) card.verified_date = toServiceStamp(environment.clock.now());
  if (body.primary) customer.billing_cards = withPrimary(customer.billing_cards, card.card_id);
  return success(customerView(customer));
};
