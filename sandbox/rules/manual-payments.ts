import { formatCents, toCents } from '../core/money';
import { invalidFields, noSuchResource } from '../core/refusals';
import type { Body } from '../contract/types';
import type { Environment } from '../state/environment';
import type { Invoice, InvoicePayment } from '../state/records';
import { invoiceBalance } from '../views/invoices';
import { momentField } from './invoice-dates';

/** Throws a refusal if the invoice's state doesn't allow changes to its payments (service.md#invoices). */
export function assertOpen({ status }: Invoice): void {
  if (status === 'PAID' || status === 'CANCELED') throw invalidFields({ invoice_id: `is ${status} and locked` });
}

/**
 * Reads a payment that the merchant received outside the service.
 * @param besides cents of the earlier version of the payment, which the invoice's paid amount includes.
 * @throws PlatformRefusal with code 2 for a type that isn't manual, or for an amount above the balance.
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
 * Returns a manual payment of the invoice.
 * @throws PlatformRefusal with code 7 if the payment doesn't exist, or with code 2 for a card payment.
 */
export function findManualPayment(environment: Environment, invoice: Invoice, paymentId: number): InvoicePayment {
  const payment = environment.payments.find(
    ({ payment_id, invoice_id }) => payment_id === paymentId && invoice_id === invoice.invoice_id,
  );
  if (!payment) throw noSuchResource('Payment');
  if (payment.type === 'CARD') throw invalidFields({ payment_id: 'is a CARD payment and locked' });
  return payment;
}
