import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { findAddress, keepAddresses } from '../rules/addresses';
import { findVaultCustomer } from '../rules/customers';
import { customerView } from '../views/customers';

export const deleteShippingAddress: Handler<'deleteShippingAddress'> = ({ environment, path, query }) => {
  const customer = findVaultCustomer(environment, path.customer_id, query?.merchant_id);
  const gone = findAddress(customer, path.id);
  keepAddresses(
    customer,
    customer.shipping_addresses.filter((one) => one !== gone),
  );
  return success(customerView(customer));
};
