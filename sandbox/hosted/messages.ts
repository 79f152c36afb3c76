import { currencyName } from '../core/currency';
import type { StateDump } from '../views/state';
import { MERCHANT_NAME } from '../views/transactions';

/** Message that the service would send, as its recipient would read it. */
export interface Message {
  subject: string;
  text: string;
  link?: string;
}

/** Composes the text of a message. */
export function messageOf({ invoice_id, pg_id, webhook_id }: StateDump['notices'][number], state: StateDump): Message {
  if (invoice_id !== undefined) return invoiceMessage(state.invoices.find((one) => one.invoice_id === invoice_id));
  if (pg_id !== undefined) return receipt(state.transactions.find((one) => one.pg_id === pg_id));
  const address = state.webhooks.find((one) => one.webhook_id === webhook_id)?.notification_url ?? 'a deleted address';
  return {
    subject: 'Suspended webhook',
    text: `Your webhook for ${address} is suspended, because its deliveries failed. Enable the webhook to receive events again.`,
  };
}

function invoiceMessage(invoice: StateDump['invoices'][number] | undefined): Message {
  if (!invoice) return { subject: 'Invoice', text: 'This invoice was deleted.' };
  const { invoice_number, invoice_id, billing_contact, amt_tran, tran_currency, date_due, invoice_link } = invoice;
  const subject = `Invoice ${invoice_number ?? invoice_id}`;
  const { first_name, last_name, firm_name } = billing_contact ?? {};
  const name = [first_name, last_name].filter(Boolean).join(' ') || firm_name || 'customer';
  const amount = `${amt_tran.toFixed(2)} ${currencyName(tran_currency)}`;
  const text = `Dear ${name},\n${MERCHANT_NAME} sent you the invoice ${invoice_number ?? invoice_id} for ${amount}. It is due on ${date_due.slice(0, 10)}.`;
  return { subject, text, link: invoice_link };
}

function receipt(sale: StateDump['transactions'][number] | undefined): Message {
  if (!sale) return { subject: 'Receipt', text: 'This payment was deleted.' };
  const { amt_tran, tran_currency, card_number, tran_time, pg_id } = sale;
  const amount = `${amt_tran.toFixed(2)} ${currencyName(tran_currency)}`;
  return {
    subject: `Receipt for ${amount}`,
    text: `${MERCHANT_NAME} received your payment of ${amount} on ${tran_time.slice(0, 10)}.\nCard or account: ${card_number}\nReference: ${pg_id}`,
  };
}
