import type { Handler } from '../calls/call';
import { listPage } from '../core/lists';
import { platformMerchant } from '../rules/merchants';
import { payeeView } from '../views/payees';

export const browsePayees: Handler<'browsePayees'> = ({ environment, query, recordFields }) => {
  const merchantId = platformMerchant(environment, query?.merchant_id);
  const own = [...environment.payees.values()].filter((payee) => payee.merchant_id === merchantId).map(payeeView);
  const page = listPage(own, query ?? {}, { fields: recordFields, order_on: 'payee_id', order_by: 'desc' });
  return { code: 0, message: 'Success', ...page };
};
