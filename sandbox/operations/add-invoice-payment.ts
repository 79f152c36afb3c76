import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { addPayment, findInvoice } from '../rules/invoices';
import { assertOpen, manualPayment } from '../rules/manual-payments';
import { invoicePaymentView } from '../views/invoices';

/** Adds a manual payment to an invoice. Card payments require the hosted page. */
export const addInvoicePayment: Handler<'addInvoicePayment'> = ({ environment, body, path }) => {
  const invoice = findInvoice(environment, path.invoice_id);
  assertOpen(invoice);
  const { date_payment = environment.clock.now(), ...given } = manualPayment(invoice, body);
  const payment = { ...given, description: body.description, date_payment, tran_status: '' } as const;
  return success(invoicePaymentView(addPayment(environment, invoice, payment)));
};
