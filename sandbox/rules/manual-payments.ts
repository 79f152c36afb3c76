import { formatCents, toCents } from '../core/money';
import { invalidFields, noSuchResource } from '../core/refusals';
import type { Body } from '../contract/types';
import type { Environment } from '../state/environment';
import type { Invoice, InvoicePayment } from '../state/records';
import { invoiceBalance } from '../views/invoices';
import { momentField } from './invoice-dates';

/** Throws if the invoice's state doesn't allow its payments to change (service.md#invoices). */
export function assertOpen({ status }: Invoice): void {
  if (status === 'PAID' || status === 'CANCELED') throw invalidFields({ invoice_id: `is ${status} and locked` });
}

/**
 * Reads a payment received outside the service.
 * @param besides amount of the same payment that the invoice already has, in cents.
 * @throws PlatformRefusal code 2 for a payment kind that can't be entered manually, or an amount above the balance.
 */
export function manualPayment(invoice: Invoice, body: Body<'addInvoicePayment'>, besides = 0) {
  const type: string = body.type;
  if (type !== 'CHECK' && type !== 'CASH' && type !== 'OTHER')
    throw invalidFields({ type: 'must be CHECK, CASH or OTHER: card payments cannot be added' });
  const paidCents = toCents(body.amt_paid);
  if (paidCents === undefined || paidCents <= 0)
    throw invalidFields({ amt_paid: 'must be above zero with at most two decimals' });
  const balance = invoiceBalance(invoice) + besides;
  if (paidCents > balance) throw invalidFields({ amt_paid: `is more than the balance of ${formatCents(balance)}` });
  return { type, paidCents, date_payment: momentField('date_payment', body.date_payment) } as const;
}

/**
 * Returns a manual payment on the invoice.
 * @throws PlatformRefusal code 7 if the payment doesn't exist, code 2 for a card payment.
 */
export function findManualPayment(environment: Environment, invoice: Invoice, paymentId: number): InvoicePayment {
  const payment = environment.payments.find(
    ({ payment_id, invoice_id }) => payment_id === paymentId && invoice_id === invoice.invoice_id,
  );
  if (!payment) throw noSuchResource('Payment');
  if (payment.type === 'CARD') throw invalidFields({ payment_id: 'is a CARD payment and locked' });
  return payment;
}
