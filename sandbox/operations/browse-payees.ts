import { LIST_QUERY, NOTHING, referenceOperation } from '../calls/reference';
import { listPage, type ListQuery } from '../core/lists';
import { platformMerchant } from '../rules/merchants';
import { payeeView } from '../views/payees';

const FIELDS = ['payee_id', 'payee_name', 'payee_phone', 'payee_email'];

/** Lists all payees. The reference describes this operation, but the interface document doesn't (service.md#vault). */
export const browsePayees = referenceOperation<object, ListQuery & { merchant_id?: number }>({
  operationId: 'browsePayees',
  method: 'GET',
  path: '/platform/vault/payee',
  schemas: { path: NOTHING, query: LIST_QUERY },
  apply: ({ environment, query: { merchant_id, ...query } }) => {
    const merchantId = platformMerchant(environment, merchant_id);
    const own = [...environment.payees.values()].filter((payee) => payee.merchant_id === merchantId);
    const rules = { fields: FIELDS, order_on: 'payee_id', order_by: 'desc' } as const;
    return { code: 0, message: 'Success', ...listPage(own.map(payeeView), query, rules) };
  },
});
