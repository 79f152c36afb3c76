import { readMoment } from '../core/clock';
import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { invalidFields } from '../core/refusals';
import { without } from '../core/without';
import type { Body } from '../contract/types';
import { newCustomer, saveCustomer } from '../rules/customers';
import { invoiceTotals } from '../rules/invoices';
import { platformMerchant } from '../rules/merchants';
import type { Environment } from '../state/environment';
import type { Invoice } from '../state/records';
import { invoiceView } from '../views/invoices';
import type { DateTime } from 'luxon';

/** Creates an invoice in the state SAVED (openapi.yaml#createInvoice). */
export const createInvoice: Handler<'createInvoice'> = ({ environment, body }) => {
  const merchantId = platformMerchant(environment, undefined);
  const totals = invoiceTotals(body);
  const date_invoice = momentField('date_invoice', body.date_invoice) ?? environment.clock.now().startOf('day');
  const date_due = dueDate(body, date_invoice);
  requireCustomer(environment, merchantId, body);
  const invoice: Invoice = {
    ...totals,
    invoice_id: environment.ids.nextNumber('invoice', 7001),
    merchant_id: merchantId,
    status: 'SAVED',
    // What the request instructs, and the day that the record has as a moment, are no part of what the invoice says.
    details: without(body, 'save_customer', 'date_invoice'),
    link_id: environment.ids.nextText('invoice_link'),
    paidCents: 0,
    date_invoice,
    date_due,
    created: environment.clock.now(),
    hostedAttempts: 0,
  };
  environment.invoices.set(invoice.invoice_id, invoice);
  return success(invoiceView(environment, invoice));
};

/** Reads a timestamp field that a request may leave out. Throws PlatformRefusal code 2 when it is no moment. */
export function momentField(name: string, text: string | undefined): DateTime | undefined {
  if (text === undefined) return undefined;
  const moment = readMoment(text);
  if (!moment) throw invalidFields({ [name]: 'must be a timestamp' });
  return moment;
}

function dueDate({ payment_terms }: Body<'createInvoice'>, date_invoice: DateTime): DateTime {
  if (payment_terms?.value === undefined) return date_invoice;
  if (payment_terms.type === 'DATE') return momentField('payment_terms.value', payment_terms.value) ?? date_invoice;
  if (!/^\d{1,4}$/.test(payment_terms.value))
    throw invalidFields({ 'payment_terms.value': 'must be a number of days' });
  return date_invoice.plus({ days: Number(payment_terms.value) });
}

/** The customer has to be in the vault, or save_customer has to be true, which saves it from the billing contact. */
function requireCustomer(environment: Environment, merchantId: string, body: Body<'createInvoice'>): void {
  if (environment.findCustomer(merchantId, body.customer_id)) return;
  if (!body.save_customer)
    throw invalidFields({ customer_id: 'is not in the vault; save_customer must be true to add it' });
  const contact = body.billing_contact;
  const customer = newCustomer(environment, merchantId, {
    customer_id: body.customer_id,
    customer_first_name: contact?.first_name,
    customer_last_name: contact?.last_name,
    customer_firm_name: contact?.firm_name,
    customer_phone: contact?.phone,
    customer_email: contact?.email_address,
  });
  saveCustomer(environment, customer);
}
