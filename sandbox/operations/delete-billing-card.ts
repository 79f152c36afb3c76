import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { invalidFields } from '../core/refusals';
import { findCard, withOnePrimary } from '../rules/cards-of-customer';
import { findVaultCustomer } from '../rules/customers';
import type { Subscription } from '../state/records';
import { customerView } from '../views/customers';
import { cardIdOf } from '../views/subscriptions';

export const deleteBillingCard: Handler<'deleteBillingCard'> = ({ environment, path, body }) => {
  const customer = findVaultCustomer(environment, path.customer_id, body.merchant_id);
  const { card_id } = findCard(customer, body.card_id);
  const isOf = (one: Subscription) =>
    one.merchant_id === customer.merchant_id && one.customer_id === customer.customer_id;
  const uses = [...environment.subscriptions.values()].some(
    (one) => one.status === 'A' && isOf(one) && cardIdOf(one, customer) === card_id,
  );
  if (uses) throw invalidFields({ card_id: 'is used by an active subscription' });
  customer.billing_cards = withOnePrimary(customer.billing_cards.filter((one) => one.card_id !== card_id));
  return success(customerView(customer));
};
