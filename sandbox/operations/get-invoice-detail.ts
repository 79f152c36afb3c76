import { objectSchema, referenceOperation } from '../calls/reference';
import { success } from '../core/envelopes';
import { findInvoice } from '../rules/invoices';
import { invoiceView } from '../views/invoices';

/** One invoice: not in the interface document, known from the reference (docs/service.md#invoices). */
export const getInvoiceDetail = referenceOperation<{ invoice_id: number }>({
  operationId: 'getInvoiceDetail',
  method: 'GET',
  path: '/platform/invoice/{invoice_id}/detail',
  schemas: { path: objectSchema({ invoice_id: { type: 'integer', minimum: 1 } }) },
  apply: ({ environment, path }) => success(invoiceView(environment, findInvoice(environment, path.invoice_id))),
});
