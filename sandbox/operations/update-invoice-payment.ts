import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { findInvoice, settle } from '../rules/invoices';
import { assertOpen, findManualPayment, manualPayment } from '../rules/manual-payments';
import { invoicePaymentView } from '../views/invoices';

export const updateInvoicePayment: Handler<'updateInvoicePayment'> = ({ environment, body, path }) => {
  const invoice = findInvoice(environment, path.invoice_id);
  assertOpen(invoice);
  const payment = findManualPayment(environment, invoice, path.payment_id);
  const { date_payment = payment.date_payment, ...given } = manualPayment(invoice, body, payment.paidCents);
  invoice.paidCents += given.paidCents - payment.paidCents;
  Object.assign(payment, { ...given, date_payment, description: body.description });
  settle(environment, invoice);
  return success(invoicePaymentView(payment));
};
