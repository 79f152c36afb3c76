import { formatCents, toCents } from '../core/money';
import { invalidFields, noSuchResource } from '../core/refusals';
import type { Body } from '../contract/types';
import type { Environment } from '../state/environment';
import type { Invoice, InvoicePayment } from '../state/records';
import { invoiceBalance } from '../views/invoices';
import { momentField } from './invoice-dates';

/** No payment on an invoice of these states is added, changed or removed (service.md#invoices). */
export function assertOpen({ status }: Invoice): void {
  if (status === 'PAID' || status === 'CANCELED') throw invalidFields({ invoice_id: `is ${status} and locked` });
}

/**
 * What a request says of a payment that was received outside the service.
 * @param besides what the invoice has of the same payment already, in cents.
 * @throws PlatformRefusal code 2 for a kind that is none of a person's, and an amount above what is left to pay.
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
 * A payment on the invoice that was added by hand.
 * @throws PlatformRefusal code 7 when there is none, code 2 when it was made by card.
 */
export function findManualPayment(environment: Environment, invoice: Invoice, paymentId: number): InvoicePayment {
  const payment = environment.payments.find(
    ({ payment_id, invoice_id }) => payment_id === paymentId && invoice_id === invoice.invoice_id,
  );
  if (!payment) throw noSuchResource('Payment');
  if (payment.type === 'CARD') throw invalidFields({ payment_id: 'is a CARD payment and locked' });
  return payment;
}
