import type { Handler } from '../calls/call';
import { listPage } from '../core/lists';
import { bounceView } from '../views/invoices';

/** Lists bounced invoice emails, latest first (openapi.yaml#browseBouncedInvoices). */
export const browseBouncedInvoices: Handler<'browseBouncedInvoices'> = ({ environment, query, recordFields }) => {
  const records = environment.bounces
    .filter(({ created }) => environment.isListed(created))
    .flatMap((one) => {
      const invoice = environment.invoices.get(one.invoice_id);
      return invoice?.merchant_id === environment.credentials.merchantId ? [bounceView(invoice, one)] : [];
    });
  const page = listPage(records, query, { fields: recordFields, order_on: 'db_timestamp', order_by: 'desc' });
  return { code: 0, message: 'Success', ...page };
};
