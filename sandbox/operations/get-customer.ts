import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { findVaultCustomer } from '../rules/customers';
import { customerView } from '../views/customers';

export const getCustomer: Handler<'getCustomer'> = ({ environment, path, query }) =>
  success(customerView(findVaultCustomer(environment, path.customer_id, query?.merchant_id)));
