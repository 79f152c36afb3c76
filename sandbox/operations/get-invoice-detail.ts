import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { findInvoice } from '../rules/invoices';
import { invoiceView } from '../views/invoices';

export const getInvoiceDetail: Handler<'getInvoiceDetail'> = ({ environment, path }) =>
  success(invoiceView(environment, findInvoice(environment, path.invoice_id)));
