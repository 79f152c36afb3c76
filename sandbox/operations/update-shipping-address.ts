import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { addressFields, findAddress, keepAddresses } from '../rules/addresses';
import { findVaultCustomer } from '../rules/customers';
import { customerView } from '../views/customers';

export const updateShippingAddress: Handler<'updateShippingAddress'> = ({ environment, path, body }) => {
  const customer = findVaultCustomer(environment, path.customer_id, body.merchant_id);
  const before = findAddress(customer, body.shipping_id);
  const changed = addressFields(body);
  const addresses = customer.shipping_addresses.map((one) => (one === before ? changed : one));
  keepAddresses(customer, addresses, changed);
  return success(customerView(customer));
};
