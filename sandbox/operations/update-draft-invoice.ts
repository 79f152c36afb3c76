import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { invalidFields } from '../core/refusals';
import { without } from '../core/without';
import { dueDate, momentField } from '../rules/invoice-dates';
import { assertStatus } from '../rules/invoice-states';
import { findInvoice, invoiceTotals } from '../rules/invoices';
import { invoiceView } from '../views/invoices';

/** Updates a draft's submitted fields. A submitted object or list replaces the stored value. */
export const updateDraftInvoice: Handler<'updateDraftInvoice'> = ({ environment, body, path }) => {
  const invoice = findInvoice(environment, path.invoice_id);
  assertStatus(invoice, ['SAVED'], 'changed');
  if (!environment.findCustomer(invoice.merchant_id, body.customer_id))
    throw invalidFields({ customer_id: 'is not in the vault' });
  const details = { ...invoice.details, ...without(body, 'date_invoice') };
  const date_invoice = momentField('date_invoice', body.date_invoice) ?? invoice.date_invoice;
  const totals = invoiceTotals(details);
  if (totals.subTotalCents + totals.taxCents < invoice.paidCents)
    throw invalidFields({ line_items: 'come to less than was paid already' });
  Object.assign(invoice, { ...totals, details, date_invoice, date_due: dueDate(details, date_invoice) });
  return success(invoiceView(environment, invoice));
};
