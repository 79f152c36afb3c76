import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { formatCents, toCents } from '../core/money';
import { invalidFields } from '../core/refusals';
import { momentField } from '../rules/invoice-dates';
import { addPayment, findInvoice } from '../rules/invoices';
import { invoiceBalance, invoicePaymentView } from '../views/invoices';

/** Adds a manual payment; cards can only be used on the hosted page (openapi.yaml#addInvoicePayment). */
export const addInvoicePayment: Handler<'addInvoicePayment'> = ({ environment, body, path }) => {
  const invoice = findInvoice(environment, path.invoice_id);
  const type: string = body.type;
  if (type !== 'CHECK' && type !== 'CASH' && type !== 'OTHER')
    throw invalidFields({ type: 'must be CHECK, CASH or OTHER: card payments cannot be added' });
  if (invoice.status === 'PAID' || invoice.status === 'CANCELED')
    throw invalidFields({ invoice_id: `is ${invoice.status} and locked` });
  const paidCents = toCents(body.amt_paid);
  if (paidCents === undefined || paidCents <= 0)
    throw invalidFields({ amt_paid: 'must be above zero with at most two decimals' });
  const balance = invoiceBalance(invoice);
  if (paidCents > balance) throw invalidFields({ amt_paid: `is more than the balance of ${formatCents(balance)}` });
  const date_payment = momentField('date_payment', body.date_payment) ?? environment.clock.now();
  const payment = { type, paidCents, description: body.description, date_payment, tran_status: '' } as const;
  return success(invoicePaymentView(addPayment(environment, invoice, payment)));
};
