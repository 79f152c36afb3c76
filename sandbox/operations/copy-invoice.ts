import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { findInvoice } from '../rules/invoices';
import { newInvoice } from '../rules/new-invoice';
import { invoiceView } from '../views/invoices';

/** Copies an invoice to a draft with today's date, without payments. */
export const copyInvoice: Handler<'copyInvoice'> = ({ environment, body, path }) => {
  const { merchant_id, details } = findInvoice(environment, path.invoice_id);
  const copy = newInvoice(environment, merchant_id, { ...structuredClone(details), ...body });
  return success(invoiceView(environment, copy));
};
