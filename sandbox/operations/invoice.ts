import type { Call } from '../calls/call';
import type { Handlers } from '../calls/described';
import type { Body } from '../contract/types';
import { success } from '../core/envelopes';
import { listAnswer, type ListQuery } from '../core/lists';
import { mayHavePrefix } from '../core/phones';
import { invalidFields } from '../core/refusals';
import { without } from '../core/without';
import { newCustomer, saveCustomer } from '../rules/customers';
import { dueDate, momentField } from '../rules/invoice-dates';
import {
  addPayment,
  assertStatus,
  findInvoice,
  invoiceTotals,
  mail,
  newInvoice,
  recipientsOf,
  settle,
} from '../rules/invoices';
import { assertOpen, findManualPayment, manualPayment } from '../rules/manual-payments';
import { platformMerchant } from '../rules/merchants';
import type { Environment } from '../state/environment';
import type { InvoicePayment } from '../state/records';
import { bounceView, invoicePaymentView, invoiceView } from '../views/invoices';

export const invoiceHandlers = {
  createInvoice: ({ environment, body }) => {
    const merchantId = platformMerchant(environment, undefined);
    const details = without(body, 'save_customer', 'date_invoice');
    const date_invoice = momentField('date_invoice', body.date_invoice);
    // Checks the amounts before the first change.
    invoiceTotals(details);
    dueDate(details, date_invoice ?? environment.clock.now());
    requireCustomer(environment, merchantId, body);
    return success(invoiceView(environment, newInvoice(environment, merchantId, details, date_invoice)));
  },

  /** Lists invoices, by default by invoice number, highest first. */
  browseInvoices: (call) => {
    const { environment } = call;
    const records = [...environment.invoices.values()]
      .filter(({ merchant_id }) => merchant_id === environment.credentials.merchantId)
      .filter(({ created }) => environment.isListed(created))
      .map((invoice) => invoiceView(environment, invoice));
    return listAnswer(records, call, 'invoice_number');
  },

  /** Emails a saved invoice and changes its state to OUTSTANDING (service.md#invoices). */
  sendInvoice: ({ environment, body, path }) => {
    const invoice = findInvoice(environment, path.invoice_id);
    assertStatus(invoice, ['SAVED'], 'sent');
    if (!(body?.phone_number ?? []).every(mayHavePrefix))
      throw invalidFields({ phone_number: 'must begin with the country prefix' });
    const recipients = recipientsOf(invoice, body ?? {});
    invoice.status = 'OUTSTANDING';
    invoice.date_notice = environment.clock.now();
    mail(environment, invoice, recipients);
    return { code: 0, message: 'Success' };
  },

  resendInvoice: ({ environment, body, path }) => {
    const invoice = findInvoice(environment, path.invoice_id);
    assertStatus(invoice, ['OUTSTANDING', 'PAID'], 'sent once more');
    mail(environment, invoice, recipientsOf(invoice, body ?? {}));
    return success({});
  },

  cancelInvoice: ({ environment, path }) => {
    const invoice = findInvoice(environment, path.invoice_id);
    assertStatus(invoice, ['SAVED', 'OUTSTANDING'], 'canceled');
    invoice.status = 'CANCELED';
    return success(invoiceView(environment, invoice));
  },

  /** Updates a draft's submitted fields. A submitted object or list replaces the stored value. */
  updateDraftInvoice: ({ environment, body, path }) => {
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
  },

  updateOutstandingInvoice: ({ environment, body, path }) => {
    const invoice = findInvoice(environment, path.invoice_id);
    assertStatus(invoice, ['OUTSTANDING'], 'changed in its contacts');
    Object.assign(invoice.details, body);
    return success(invoiceView(environment, invoice));
  },

  /** Copies an invoice to a draft with today's date, without payments. */
  copyInvoice: ({ environment, body, path }) => {
    const { merchant_id, details } = findInvoice(environment, path.invoice_id);
    const copy = newInvoice(environment, merchant_id, { ...structuredClone(details), ...body });
    return success(invoiceView(environment, copy));
  },

  getInvoiceDetail: ({ environment, path }) =>
    success(invoiceView(environment, findInvoice(environment, path.invoice_id))),

  /** Adds a manual payment to an invoice. Card payments require the hosted page. */
  addInvoicePayment: ({ environment, body, path }) => {
    const invoice = findInvoice(environment, path.invoice_id);
    assertOpen(invoice);
    const { date_payment = environment.clock.now(), ...given } = manualPayment(invoice, body);
    const payment = { ...given, description: body.description, date_payment, tran_status: '' } as const;
    return success(invoicePaymentView(addPayment(environment, invoice, payment)));
  },

  browseInvoicePaymentsById: (call) => {
    const { invoice_id: invoiceId } = findInvoice(call.environment, call.path.invoice_id);
    return paymentsIn(call, ({ invoice_id }) => invoice_id === invoiceId);
  },

  updateInvoicePayment: ({ environment, body, path }) => {
    const invoice = findInvoice(environment, path.invoice_id);
    assertOpen(invoice);
    const payment = findManualPayment(environment, invoice, path.payment_id);
    const { date_payment = payment.date_payment, ...given } = manualPayment(invoice, body, payment.paidCents);
    invoice.paidCents += given.paidCents - payment.paidCents;
    Object.assign(payment, { ...given, date_payment, description: body.description });
    settle(environment, invoice);
    return success(invoicePaymentView(payment));
  },

  removeInvoicePayment: ({ environment, path }) => {
    const invoice = findInvoice(environment, path.invoice_id);
    assertOpen(invoice);
    const payment = findManualPayment(environment, invoice, path.payment_id);
    environment.payments = environment.payments.filter((one) => one !== payment);
    invoice.paidCents -= payment.paidCents;
    return success({});
  },

  /** Lists bounced invoice emails, latest first (openapi.yaml#browseBouncedInvoices). */
  browseBouncedInvoices: (call) => {
    const { environment } = call;
    const records = environment.bounces
      .filter(({ created }) => environment.isListed(created))
      .flatMap((one) => {
        const invoice = environment.invoices.get(one.invoice_id);
        return invoice?.merchant_id === environment.credentials.merchantId ? [bounceView(invoice, one)] : [];
      });
    return listAnswer(records, call, 'db_timestamp');
  },

  browseInvoicePayments: (call) => paymentsIn(call, () => true),
} satisfies Partial<Handlers>;

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

function paymentsIn(call: Call<unknown, ListQuery>, isAsked: (payment: InvoicePayment) => boolean) {
  const { environment } = call;
  const records = environment.payments
    .filter(({ merchant_id }) => merchant_id === environment.credentials.merchantId)
    .filter((payment) => isAsked(payment) && environment.isListed(payment.created))
    .map(invoicePaymentView);
  return listAnswer(records, call, 'date_payment');
}
