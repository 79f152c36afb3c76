import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { assertStatus } from '../rules/invoice-states';
import { findInvoice } from '../rules/invoices';
import { invoiceView } from '../views/invoices';

/** Cancels an invoice for good (openapi.yaml#cancelInvoice). One that is paid is settled: it stays as it is. */
export const cancelInvoice: Handler<'cancelInvoice'> = ({ environment, path }) => {
  const invoice = findInvoice(environment, path.invoice_id);
  assertStatus(invoice, ['SAVED', 'OUTSTANDING'], 'canceled');
  invoice.status = 'CANCELED';
  return success(invoiceView(environment, invoice));
};
