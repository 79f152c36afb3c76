import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { assertStatus } from '../rules/invoice-states';
import { findInvoice } from '../rules/invoices';
import { invoiceView } from '../views/invoices';

export const updateOutstandingInvoice: Handler<'updateOutstandingInvoice'> = ({ environment, body, path }) => {
  const invoice = findInvoice(environment, path.invoice_id);
  assertStatus(invoice, ['OUTSTANDING'], 'changed in its contacts');
  Object.assign(invoice.details, body);
  return success(invoiceView(environment, invoice));
};
