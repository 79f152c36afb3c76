import { formatCents, toCents } from '../core/money';
import { invalidFields, noSuchResource } from '../core/refusals';
import type { Body } from '../contract/types';
import type { Environment } from '../state/environment';
import type { Invoice, InvoicePayment } from '../state/records';
import { invoiceBalance } from '../views/invoices';
import { momentField } from './invoice-dates';

/** Refuses changes to the payments of an invoice in the wrong state (service.md#invoices). */
export function assertOpen({ status }: Invoice): void {
  if (status === 'PAID' || status === 'CANCELED') throw invalidFields({ invoice_id: `is ${status} and locked` });
}

/**
 * Reads a payment that the merchant received outside the service.
 * @param besides the payment's earlier amount in cents.
 * @throws PlatformRefusal for a card payment or an amount above the balance.
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
 * Returns one of an invoice's manual payments.
 * @throws PlatformRefusal for an unknown payment or a card payment.
 */
export function findManualPayment(environment: Environment, invoice: Invoice, paymentId: number): InvoicePayment {
  const payment = environment.payments.find(
    ({ payment_id, invoice_id }) => payment_id === paymentId && invoice_id === invoice.invoice_id,
  );
  if (!payment) throw noSuchResource('Payment');
  if (payment.type === 'CARD') throw invalidFields({ payment_id: 'is a CARD payment and locked' });
  return payment;
}
