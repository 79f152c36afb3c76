import { toDayStamp, toOffsetTimestamp } from '../core/clock';
import { toAmount } from '../core/money';
import type { Environment } from '../state/environment';
import type { Bounce, Invoice, InvoicePayment } from '../state/records';

/** Returns the URL of an invoice's hosted page. */
export function invoiceLink(environment: Environment, invoice: Invoice): string {
  return `${environment.baseUrl}/hosted/invoice/${invoice.link_id}`;
}

/** Returns an invoice's unpaid amount in cents. */
export function invoiceBalance(invoice: Invoice): number {
  return invoice.subTotalCents + invoice.taxCents - invoice.paidCents;
}

/** Builds an invoice (openapi.yaml#Invoice). */
export function invoiceView(environment: Environment, invoice: Invoice) {
  return {
    ...invoice.details,
    invoice_id: invoice.invoice_id,
    merchant_id: Number(invoice.merchant_id),
    status: invoice.status,
    amt_tran: toAmount(invoice.subTotalCents + invoice.taxCents),
    amt_tax: toAmount(invoice.taxCents),
    amt_sub_total: toAmount(invoice.subTotalCents),
    amt_paid: toAmount(invoice.paidCents),
    amt_balance: toAmount(invoiceBalance(invoice)),
    invoice_link: invoiceLink(environment, invoice),
    date_invoice: toDayStamp(invoice.date_invoice),
    date_due: toDayStamp(invoice.date_due),
    date_last_view: invoice.date_last_view && toDayStamp(invoice.date_last_view),
    date_notice: invoice.date_notice && toDayStamp(invoice.date_notice),
    db_timestamp: toOffsetTimestamp(invoice.created),
  };
}

export function invoicePaymentView(payment: InvoicePayment) {
  return {
    payment_id: payment.payment_id,
    merchant_id: Number(payment.merchant_id),
    type: payment.type,
    amt_paid: toAmount(payment.paidCents),
    description: payment.description,
    invoice_id: payment.invoice_id,
    date_payment: toDayStamp(payment.date_payment),
    status: 'PAID',
    tran_currency: payment.tran_currency,
    tran_status: payment.tran_status,
    pg_id: payment.pg_id,
  };
}

export function bounceView({ merchant_id, status, details }: Invoice, { invoice_id, created, recipient }: Bounce) {
  return {
    invoice_id,
    merchant_id: Number(merchant_id),
    invoice_number: details.invoice_number,
    customer_id: details.customer_id,
    status,
    send_code: 'B',
    db_timestamp: toOffsetTimestamp(created),
    recipient,
  };
}
