import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { findInvoice } from '../rules/invoices';
import { assertOpen, findManualPayment } from '../rules/manual-payments';

export const removeInvoicePayment: Handler<'removeInvoicePayment'> = ({ environment, path }) => {
  const invoice = findInvoice(environment, path.invoice_id);
  assertOpen(invoice);
  const payment = findManualPayment(environment, invoice, path.payment_id);
  environment.payments = environment.payments.filter((one) => one !== payment);
  invoice.paidCents -= payment.paidCents;
  return success({});
};
