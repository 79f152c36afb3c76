import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { assertStatus } from '../rules/invoice-states';
import { findInvoice } from '../rules/invoices';
import { invoiceView } from '../views/invoices';

export const cancelInvoice: Handler<'cancelInvoice'> = ({ environment, path }) => {
  const invoice = findInvoice(environment, path.invoice_id);
  assertStatus(invoice, ['SAVED', 'OUTSTANDING'], 'canceled');
  invoice.status = 'CANCELED';
  return success(invoiceView(environment, invoice));
};
