import { success } from '../core/envelopes';
import { findInvoice } from '../rules/invoices';
import { invoiceView } from '../views/invoices';
import type { ManagementOperation } from '../webhooks/management';

/** One invoice: not in the interface document, known from the reference (facts.md section 6). */
export const invoiceDetail: ManagementOperation = {
  operationId: 'getInvoiceDetail',
  method: 'GET',
  path: '/platform/invoice/{invoice_id}/detail',
  apply: ({ environment, params }) =>
    success(invoiceView(environment, findInvoice(environment, Number(params.invoice_id)))),
};
