import type { Handler } from '../calls/call';
import { listPage } from '../core/lists';
import { platformMerchant } from '../rules/merchants';
import { customerView } from '../views/customers';

/** Lists customers, by default by customer_id, highest first (service.md#lists). */
export const browseCustomers: Handler<'browseCustomers'> = ({ environment, query, recordFields }) => {
  const merchantId = platformMerchant(environment, query?.merchant_id);
  const customers = environment.customers.filter((customer) => customer.merchant_id === merchantId).map(customerView);
  const page = listPage(customers, query ?? {}, { fields: recordFields, order_on: 'customer_id', order_by: 'desc' });
  return { code: 0, message: 'Success', ...page };
};
