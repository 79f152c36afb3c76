import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { invalidFields } from '../core/refusals';
import { newAddress } from '../rules/addresses';
import { assertNoneTwice, readBillingCards, withOnePrimary } from '../rules/cards-of-customer';
import { findVaultCustomer, nameProblems } from '../rules/customers';
import { customerView } from '../views/customers';

/** Updates the submitted fields. A submitted array replaces the stored array. */
export const updateCustomer: Handler<'updateCustomer'> = ({ environment, path, body }) => {
  const { merchant_id, billing_cards, shipping_addresses, ...fields } = body;
  const customer = findVaultCustomer(environment, path.customer_id, merchant_id);
  const problems = nameProblems({ ...customer, ...fields });
  if (Object.keys(problems).length > 0) throw invalidFields(problems);
  const own = customer.billing_cards;
  const cards =
    billing_cards && readBillingCards(environment, customer.merchant_id, billing_cards, 'billing_cards', own);
  if (cards) assertNoneTwice(cards);
  Object.assign(customer, fields);
  if (cards) customer.billing_cards = withOnePrimary(cards);
  if (shipping_addresses)
    customer.shipping_addresses = shipping_addresses.map((address) => newAddress(environment, address));
  return success(customerView(customer));
};
