import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { findVaultCustomer } from '../rules/customers';

export const getShippingAddresses: Handler<'getShippingAddresses'> = ({ environment, path, query }) => {
  const { shipping_addresses } = findVaultCustomer(environment, path.customer_id, query?.merchant_id);
  return success({ shipping_addresses });
};
