import { DateTime } from 'luxon';

import { currencyName } from '../core/currency';
import type { StateDump } from '../views/state';
import type { Attempt } from '../webhooks/attempts';
import { escapeHtml } from './layout';
import { messageOf } from './messages';
import { checkoutWords, kindWords, statusWords, WORDS } from './words';

/** Records that the sandbox's page shows in tables. */
export interface Records {
  state: StateDump;
  attempts: readonly Attempt[];
  now: string;
}

export interface Table {
  id: string;
  title: string;
  columns: string[];
  /** Cells as HTML. */
  rows: string[][];
}

const text = (value: string | number = ''): string => escapeHtml(String(value));
const link = (address: string, label: string): string => `<a href="${escapeHtml(address)}">${escapeHtml(label)}</a>`;
const nameOf = (...names: Array<string | undefined>): string => names.filter(Boolean).join(' ');
const personName = (one: StateDump['customers'][number]): string =>
  nameOf(one.customer_first_name, one.customer_last_name);
const money = (amount: number, currency?: string): string => text(`${amount.toFixed(2)} ${currencyName(currency)}`);
const time = (timestamp: string): string =>
  text(DateTime.fromISO(timestamp, { zone: 'utc' }).toFormat('yyyy-MM-dd HH:mm:ss'));
const day = (timestamp = ''): string => text(timestamp.slice(0, 10));

/** Builds the tables of the page, those that users change most often first. */
export function tablesOf({ state, attempts, now }: Records): Table[] {
  const names = new Map(state.customers.map((one) => [one.customer_id, one.customer_firm_name || personName(one)]));
  const customerName = (id: string): string => text(names.get(id) || id);
  const { transactions } = state;
  return [
    {
      id: 'invoices',
      title: 'Invoices',
      // Phones show the second column without scrolling.
      columns: ['Invoice', 'Link', 'Customer', 'Amount', 'Paid', 'Due', 'Status'],
      rows: state.invoices.map((one) => [
        text(one.invoice_number ?? String(one.invoice_id)),
        invoiceLink(one),
        customerName(one.customer_id),
        money(one.amt_tran, one.tran_currency),
        money(one.amt_paid, one.tran_currency),
        day(one.date_due),
        WORDS.invoice[one.status],
      ]),
    },
    {
      id: 'messages',
      title: 'Emails and text messages',
      columns: ['Sent', 'To', 'Message'],
      rows: state.notices.map((notice, index) => [
        time(notice.sent),
        text([...notice.email_address, ...notice.phone_number].join(', ')),
        message(notice, state, index),
      ]),
    },
    {
      id: 'charges',
      title: 'Charges and refunds',
      columns: ['Time', 'Kind', 'Amount', 'Name', 'Order', 'Status'],
      rows: transactions
        .filter(({ request_type }) => request_type !== 'payment')
        .map((one) => [
          time(one.tran_time),
          text(kindWords(one, transactions)),
          money(one.amt_tran, one.tran_currency),
          text(nameOf(one.cardholder_first_name, one.cardholder_last_name)),
          text(one.purchase_id),
          text(statusWords(one, transactions)),
        ]),
    },
    {
      id: 'subscriptions',
      title: 'Subscriptions',
      columns: ['Subscription', 'Customer', 'Plan', 'Amount', 'Next payment', 'Status'],
      rows: state.subscriptions.map((one) => [
        text(one.subscription_id),
        customerName(one.customer_id),
        text(one.plan_name ?? one.plan_desc),
        money(one.recur_amt, one.tran_currency),
        one.status === 'A' ? day(one.date_next) : '',
        WORDS.subscription[one.status],
      ]),
    },
    {
      id: 'checkouts',
      title: 'Checkout links',
      columns: ['Order', 'Link', 'Amount', 'Left to pay', 'Expires', 'Status'],
      rows: state.checkouts.map((one) => {
        const status = checkoutWords(one, now);
        return [
          text(one.purchase_id),
          ['open', 'partly paid'].includes(status) ? link(one.checkout_link, 'Open this checkout') : '',
          one.amt_tran === undefined ? '' : money(one.amt_tran, one.tran_currency),
          one.amt_tran === undefined ? '' : money(one.amt_balance, one.tran_currency),
          time(one.expiry_time),
          status,
        ];
      }),
    },
    {
      id: 'payouts',
      title: 'Payouts',
      columns: ['Time', 'Payee', 'Amount', 'Reference', 'Status'],
      rows: transactions
        .filter(({ request_type }) => request_type === 'payment')
        .map((one) => [
          time(one.tran_time),
          text(one.cardholder_last_name),
          money(one.amt_tran, one.tran_currency),
          text(one.merch_ref_num),
          text(statusWords(one, transactions)),
        ]),
    },
    {
      id: 'disputes',
      title: 'Disputes',
      columns: ['Dispute', 'Kind', 'Order', 'Amount', 'Reason', 'Opened', 'Status'],
      rows: state.disputes.map((one) => [
        text(one.rec_id),
        WORDS.disputeKind[one.data_type],
        text(one.purchase_id),
        money(one.amt_dispute),
        text(one.reason_desc),
        day(one.incoming_date),
        WORDS.dispute[one.status],
      ]),
    },
    {
      id: 'updater',
      title: 'Account updater requests',
      columns: ['Request', 'Submitted', 'Cards', 'Responses', 'Updated', 'Status'],
      rows: state.updaterRequests.map((one) => [
        text(one.request_id),
        day(one.request_date),
        text(one.cnt_request),
        text(one.cnt_response),
        text(one.cnt_update),
        WORDS.updater[one.status],
      ]),
    },
    {
      id: 'customers',
      title: 'Customers',
      columns: ['Customer', 'Name', 'Email', 'Cards'],
      rows: state.customers.map((one) => [
        text(one.customer_id),
        text([personName(one), one.customer_firm_name].filter(Boolean).join(', ')),
        text(one.customer_email),
        text(one.billing_cards.length),
      ]),
    },
    {
      id: 'deliveries',
      title: 'Webhook deliveries',
      columns: ['Time', 'Event', 'Attempt', 'Response'],
      rows: attempts.map(({ time: at, event, attempt, status }) => [
        time(at),
        text(event),
        text(attempt),
        text(status === 0 ? 'none' : status),
      ]),
    },
    {
      id: 'webhooks',
      title: 'Webhooks',
      columns: ['Address', 'Events', 'Status'],
      rows: state.webhooks.map(({ notification_url, events, status }) => [
        text(notification_url),
        text((events ?? []).join(', ')),
        WORDS.webhook[status],
      ]),
    },
  ];
}

function invoiceLink({ status, invoice_link }: StateDump['invoices'][number]): string {
  if (status === 'OUTSTANDING') return link(invoice_link, 'Pay this invoice');
  return status === 'PAID' ? link(invoice_link, 'Show this invoice') : '';
}

function message(notice: StateDump['notices'][number], state: StateDump, index: number): string {
  const { subject, text: content, link: address } = messageOf(notice, state);
  const end = address === undefined ? '' : `\n${link(address, 'Open the invoice')}`;
  return `<details id="message-${index}"><summary>${text(subject)}</summary><p class="letter">${text(content)}${end}</p></details>`;
}
