import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { findVaultCustomer } from '../rules/customers';

export const deleteCustomer: Handler<'deleteCustomer'> = ({ environment, path, query }) => {
  environment.removeCustomer(findVaultCustomer(environment, path.customer_id, query?.merchant_id));
  return success({});
};
