import type { Handler } from '../calls/call';
import { listPage, type ListQuery } from '../core/lists';
import { findInvoice } from '../rules/invoices';
import type { Environment } from '../state/environment';
import type { InvoicePayment } from '../state/records';
import { invoicePaymentView } from '../views/invoices';

export const browseInvoicePayments: Handler<'browseInvoicePayments'> = ({ environment, query, recordFields }) =>
  payments(environment, query, recordFields, () => true);

export const browseInvoicePaymentsById: Handler<'browseInvoicePaymentsById'> = (call) => {
  const { invoice_id: invoiceId } = findInvoice(call.environment, call.path.invoice_id);
  return payments(call.environment, call.query, call.recordFields, ({ invoice_id }) => invoice_id === invoiceId);
};

function payments(
  environment: Environment,
  query: ListQuery,
  fields: readonly string[],
  isAsked: (payment: InvoicePayment) => boolean,
) {
  const records = environment.payments
    .filter(({ merchant_id }) => merchant_id === environment.credentials.merchantId)
    .filter((payment) => isAsked(payment) && environment.isListed(payment.created))
    .map(invoicePaymentView);
  const page = listPage(records, query, { fields, order_on: 'date_payment', order_by: 'desc' });
  return { code: 0, message: 'Success', ...page };
}
