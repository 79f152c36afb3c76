import type { DateTime } from 'luxon';

import type { Environment } from '../state/environment';
import type { Invoice, InvoiceDetails } from '../state/records';
import { dueDate } from './invoice-dates';
import { invoiceTotals } from './invoices';

/**
 * Creates a draft invoice.
 * @param date_invoice defaults to today.
 */
export function newInvoice(
  environment: Environment,
  merchant_id: string,
  details: InvoiceDetails,
  date_invoice: DateTime = environment.clock.now().startOf('day'),
): Invoice {
  const invoice: Invoice = {
    ...invoiceTotals(details),
    invoice_id: environment.ids.nextNumber('invoice', 7001),
    merchant_id,
    status: 'SAVED',
    details,
    link_id: environment.ids.nextText('invoice_link'),
    paidCents: 0,
    date_invoice,
    date_due: dueDate(details, date_invoice),
    created: environment.clock.now(),
    hostedAttempts: 0,
  };
  environment.invoices.set(invoice.invoice_id, invoice);
  return invoice;
}
