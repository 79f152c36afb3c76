import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { findAddress, keepAddresses } from '../rules/addresses';
import { findVaultCustomer } from '../rules/customers';
import { customerView } from '../views/customers';

export const setPrimaryShippingAddress: Handler<'setPrimaryShippingAddress'> = ({ environment, path, body }) => {
  const customer = findVaultCustomer(environment, path.customer_id, body.merchant_id);
  const before = findAddress(customer, body.shipping_id);
  const chosen = { ...before, primary: true };
  const addresses = customer.shipping_addresses.map((one) => (one === before ? chosen : one));
  keepAddresses(customer, addresses, chosen);
  return success(customerView(customer));
};
