import type { DateTime } from 'luxon';

import { invalidFields, noSuchResource } from '../core/refusals';
import { multiplyCents, toCents } from '../core/money';
import type { Environment } from '../state/environment';
import type { Invoice, InvoiceDetails, InvoicePayment, Notice } from '../state/records';
import { bounceView, invoiceBalance, invoicePaymentView, invoiceView } from '../views/invoices';
import { dueDate } from './invoice-dates';

type Charged = Pick<InvoiceDetails, 'line_items' | 'sales_tax'>;

export interface InvoiceTotals {
  subTotalCents: number;
  taxCents: number;
}

/**
 * Adds up line items, rounded to cents, and sales tax (openapi.yaml#SalesTax).
 * @throws PlatformRefusal with code 2 for an invalid amount or a negative total.
 */
export function invoiceTotals(request: Charged): InvoiceTotals {
  const lines = (request.line_items ?? []).map(({ quantity = 0, unit_cost = 0 }, index) => {
    if (toCents(unit_cost) === undefined)
      throw invalidFields({ [`line_items[${index}].unit_cost`]: 'must have at most two decimals' });
    return lineCents(quantity, unit_cost);
  });
  const subTotalCents = lines.reduce((sum, line) => sum + line, 0);
  const taxCents = taxOf(request, subTotalCents);
  if (subTotalCents + taxCents < 0) throw invalidFields({ line_items: 'must not add up to less than zero' });
  return { subTotalCents, taxCents };
}

/** Returns the total of a line item in cents. */
export function lineCents(quantity: number, unit_cost: number): number {
  return multiplyCents(toCents(unit_cost) ?? 0, quantity);
}

function taxOf(request: Charged, subTotalCents: number): number {
  const { type, value } = request.sales_tax ?? {};
  if (value === undefined) return 0;
  if (type !== 'AMOUNT') return multiplyCents(subTotalCents, value / 100);
  const cents = toCents(value);
  if (cents === undefined) throw invalidFields({ 'sales_tax.value': 'must have at most two decimals' });
  return cents;
}

/**
 * Returns an invoice by its ID.
 * @throws PlatformRefusal with code 7 for an unknown invoice.
 */
export function findInvoice(environment: Environment, invoiceId: number): Invoice {
  const invoice = environment.invoices.get(invoiceId);
  if (!invoice) throw noSuchResource('Invoice');
  return invoice;
}

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

/**
 * Checks that an invoice's state allows a change (service.md#invoices).
 * @param done past participle for the message, for example "sent".
 * @throws PlatformRefusal in any other state.
 */
export function assertStatus({ status }: Invoice, taken: ReadonlyArray<Invoice['status']>, done: string): void {
  if (!taken.includes(status))
    throw invalidFields({ invoice_id: `is ${status}; only a ${taken.join(' or ')} invoice can be ${done}` });
}

/** Adds a payment to an invoice. A zero balance changes the status to PAID (service.md#invoices). */
export function addPayment(
  environment: Environment,
  invoice: Invoice,
  payment: Pick<InvoicePayment, 'type' | 'paidCents' | 'description' | 'date_payment' | 'tran_status' | 'pg_id'>,
): InvoicePayment {
  const record: InvoicePayment = {
    ...payment,
    payment_id: environment.ids.nextNumber('payment', 8001),
    invoice_id: invoice.invoice_id,
    merchant_id: invoice.merchant_id,
    created: environment.clock.now(),
    tran_currency: invoice.details.tran_currency,
  };
  environment.payments.push(record);
  invoice.paidCents += payment.paidCents;
  environment.emit('invoice_payment_success', invoice.merchant_id, invoicePaymentView(record));
  settle(environment, invoice);
  return record;
}

/** Changes an invoice's status to PAID if the balance is zero. */
export function settle(environment: Environment, invoice: Invoice): void {
  if (invoiceBalance(invoice) > 0) return;
  invoice.status = 'PAID';
  environment.emit('invoice_paid', invoice.merchant_id, invoiceView(environment, invoice));
}

type Recipients = Pick<Notice, 'email_address' | 'phone_number'>;

/**
 * Returns the requested recipients, or the invoice's billing contact by default.
 * @throws PlatformRefusal with code 2 for an invoice without a recipient.
 */
export function recipientsOf({ details }: Invoice, { email_address = [], phone_number = [] }: Partial<Recipients>) {
  if (email_address.length + phone_number.length > 0) return { email_address, phone_number };
  const own = details.billing_contact?.email_address;
  if (own === undefined) throw invalidFields({ email_address: 'is required: the billing contact has no address' });
  return { email_address: [own], phone_number };
}

/** Stores the messages that the service would send. Records a bounced email for an undeliverable address. */
export function mail(environment: Environment, invoice: Invoice, recipients: Recipients): void {
  environment.notices.push({ invoice_id: invoice.invoice_id, sent: environment.clock.now(), ...recipients });
  bounce(environment, invoice, recipients.email_address);
}

/** Matches addresses that always bounce in the sandbox. */
const UNDELIVERABLE = /^undeliverable@/i;

function bounce(environment: Environment, invoice: Invoice, addresses: readonly string[]): void {
  const recipient = addresses.filter((address) => UNDELIVERABLE.test(address));
  if (recipient.length === 0) return;
  const { invoice_id, merchant_id } = invoice;
  const one = { invoice_id, created: environment.clock.now(), recipient };
  environment.bounces.push(one);
  environment.emit('invoice_email_undeliverable', merchant_id, bounceView(invoice, one));
}
