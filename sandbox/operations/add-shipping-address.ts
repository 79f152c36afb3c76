import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { keepAddresses, newAddress } from '../rules/addresses';
import { findVaultCustomer } from '../rules/customers';
import { customerView } from '../views/customers';

export const addShippingAddress: Handler<'addShippingAddress'> = ({ environment, path, body }) => {
  const customer = findVaultCustomer(environment, path.customer_id, body.merchant_id);
  const added = newAddress(environment, body);
  keepAddresses(customer, [...customer.shipping_addresses, added], added);
  return success(customerView(customer));
};
