import { LIST_QUERY, NOTHING, referenceOperation } from '../calls/reference';
import { listPage, type ListQuery } from '../core/lists';
import { platformMerchant } from '../rules/merchants';
import { invoiceView } from '../views/invoices';

const FIELDS = [
  ...['invoice_id', 'invoice_number', 'customer_id', 'status', 'amt_tran', 'amt_paid', 'amt_balance', 'tran_currency'],
  ...['date_invoice', 'date_due', 'billing_contact', 'db_timestamp'],
];

/** All invoices: not in the interface document, known from the reference (docs/service.md#invoices). */
export const browseInvoices = referenceOperation<object, ListQuery & { merchant_id?: number }>({
  operationId: 'browseInvoices',
  method: 'GET',
  path: '/platform/invoice',
  schemas: { path: NOTHING, query: LIST_QUERY },
  apply: ({ environment, query: { merchant_id: named, ...query } }) => {
    const merchantId = platformMerchant(environment, named);
    const own = [...environment.invoices.values()].filter(
      ({ merchant_id, created }) => merchant_id === merchantId && environment.isListed(created),
    );
    const rules = { fields: FIELDS, order_on: 'invoice_number', order_by: 'desc' } as const;
    const page = listPage(
      own.map((invoice) => invoiceView(environment, invoice)),
      query,
      rules,
    );
    return { code: 0, message: 'Success', ...page };
  },
});
