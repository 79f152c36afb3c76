import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { readBillingCards } from '../rules/cards-of-customer';
import { newCustomer, ownFields, saveCustomer } from '../rules/customers';
import { platformMerchant } from '../rules/merchants';
import { customerView } from '../views/customers';

export const addCustomer: Handler<'addCustomer'> = ({ environment, body }) => {
  const merchantId = platformMerchant(environment, body.merchant_id);
  const { billing_cards = [], shipping_addresses = [] } = body;
  const cards = readBillingCards(environment, merchantId, billing_cards, 'billing_cards');
  const customer = newCustomer(environment, merchantId, ownFields(body), cards, shipping_addresses);
  return success(customerView(saveCustomer(environment, customer)));
};
