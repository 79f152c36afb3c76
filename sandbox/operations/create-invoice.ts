import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { invalidFields } from '../core/refusals';
import { without } from '../core/without';
import type { Body } from '../contract/types';
import { newCustomer, saveCustomer } from '../rules/customers';
import { dueDate, momentField } from '../rules/invoice-dates';
import { invoiceTotals } from '../rules/invoices';
import { platformMerchant } from '../rules/merchants';
import { newInvoice } from '../rules/new-invoice';
import type { Environment } from '../state/environment';
import { invoiceView } from '../views/invoices';

export const createInvoice: Handler<'createInvoice'> = ({ environment, body }) => {
  const merchantId = platformMerchant(environment, undefined);
  const details = without(body, 'save_customer', 'date_invoice');
  const date_invoice = momentField('date_invoice', body.date_invoice);
  // Checks the amounts before the first change.
  invoiceTotals(details);
  dueDate(details, date_invoice ?? environment.clock.now());
  requireCustomer(environment, merchantId, body);
  return success(invoiceView(environment, newInvoice(environment, merchantId, details, date_invoice)));
};

/** Checks that the customer exists or, with save_customer, creates one from the billing contact. */
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
