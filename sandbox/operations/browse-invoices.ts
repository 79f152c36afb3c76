import type { Handler } from '../calls/call';
import { listPage } from '../core/lists';
import { invoiceView } from '../views/invoices';

/** Lists invoices, by default by invoice number, highest first. */
export const browseInvoices: Handler<'browseInvoices'> = ({ environment, query, recordFields }) => {
  const records = [...environment.invoices.values()]
    .filter(({ merchant_id }) => merchant_id === environment.credentials.merchantId)
    .filter(({ created }) => environment.isListed(created))
    .map((invoice) => invoiceView(environment, invoice));
  const page = listPage(records, query, { fields: recordFields, order_on: 'invoice_number', order_by: 'desc' });
  return { code: 0, message: 'Success', ...page };
};
