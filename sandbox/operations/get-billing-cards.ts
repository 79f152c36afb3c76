import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { findVaultCustomer } from '../rules/customers';
import { customerView } from '../views/customers';

export const getBillingCards: Handler<'getBillingCards'> = ({ environment, path, query }) => {
  const { billing_cards } = customerView(findVaultCustomer(environment, path.customer_id, query?.merchant_id));
  return success({ billing_cards });
};
