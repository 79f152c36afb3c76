import { createHash } from 'node:crypto';

import type { Attempt } from '../webhooks/attempts';
import type { Environment } from '../state/environment';
import type { StateDump } from '../views/state';
import { currencyName } from '../core/currency';
import { escapeHtml, page } from './layout';

const MOST_ROWS = 10;
const STATUSES: Readonly<Record<string, string>> = {
  A: 'authorized',
  C: 'captured',
  D: 'declined',
  P: 'deposit sent',
  S: 'settled',
  U: 'declined',
  V: 'voided',
  v: 'voided',
};
/**
 * Browser script that updates the page every second and highlights new rows. The update waits while the user presses a
 * link.
 */
const SCRIPT = `
const rows = (root) => [...root.querySelectorAll('tbody tr')];
const known = new Set(rows(document).map((row) => row.textContent));
let shown = document.querySelector('main').innerHTML;
setInterval(async () => {
  if (document.hidden) return;
  const response = await fetch(location.href).catch(() => undefined);
  const news = document.querySelector('#news');
  if (!response?.ok) return void (news.textContent = 'The sandbox has stopped.');
  const next = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main');
  if (next.innerHTML === shown || document.querySelector('a:active')) return;
  shown = next.innerHTML;
  const added = rows(next).filter((row) => !known.has(row.textContent));
  for (const row of added) row.classList.add('new');
  const focus = document.activeElement?.getAttribute('href');
  document.querySelector('main').replaceWith(next);
  if (focus) [...next.querySelectorAll('a')].find((link) => link.getAttribute('href') === focus)?.focus();
  news.textContent = added.length + ' new or changed since you opened this page.';
}, 1000);
`;

/** Content security policy that allows only the page's own script. */
export const OVERVIEW_POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'; connect-src 'self'; frame-ancestors 'none'`;

/** Contents of the overview page. */
export interface Overview {
  state: StateDump;
  attempts: readonly Attempt[];
  environments: ReadonlyArray<Pick<Environment, 'name' | 'baseUrl' | 'credentials'>>;
}

interface Table {
  title: string;
  columns: string[];
  rows: string[][];
}

const text = (value: string | number = ''): string => escapeHtml(String(value));
const time = (timestamp: string): string => `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)}`;
const link = (address: string, label: string): string => `<a href="${escapeHtml(address)}">${escapeHtml(label)}</a>`;
const nameOf = (...names: Array<string | undefined>): string => names.filter(Boolean).join(' ');
const personName = (one: StateDump['customers'][number]): string =>
  nameOf(one.customer_first_name, one.customer_last_name);
const money = (amount: number, currency?: string): string => `${amount.toFixed(2)} ${currencyName(currency)}`;

/** Returns words for a refund before settlement, which is a void or a capture in the report (service.md#refunds). */
function refundWords(
  { request_type: type, tran_status: status, pg_id_linked: id }: StateDump['transactions'][number],
  { transactions }: StateDump,
): string | undefined {
  if (status !== 'V' || id === undefined) return undefined;
  if (type === 'capture') return 'refund (sale reduced)';
  const refunded = transactions.find(({ pg_id }) => pg_id === id)?.amt_refunded ?? 0;
  // A void of an uncaptured authorization returns no money.
  return type === 'void' && refunded > 0 ? 'refund (sale voided)' : undefined;
}

/** Renders an overview of the sandbox's credential and records, without card numbers or tokens. */
export function overviewPage({ state, attempts, environments }: Overview): string {
  const subject = ({ invoice_id, pg_id }: StateDump['notices'][number]): string => {
    if (invoice_id === undefined) return pg_id === undefined ? 'Suspended webhook' : 'Receipt';
    const invoice = state.invoices.find((one) => one.invoice_id === invoice_id);
    const name = `Invoice ${invoice?.invoice_number ?? invoice_id}`;
    return invoice?.status === 'OUTSTANDING' ? link(invoice.invoice_link, name) : escapeHtml(name);
  };
  const names = new Map(state.customers.map((one) => [one.customer_id, one.customer_firm_name || personName(one)]));
  const tables: Table[] = [
    {
      title: 'Invoices',
      // Phones show the second column without scrolling.
      columns: ['Invoice', 'Link', 'Customer', 'Amount', 'Paid', 'Status'],
      rows: state.invoices.map((one) => [
        text(one.invoice_number ?? String(one.invoice_id)),
        one.status === 'OUTSTANDING' ? link(one.invoice_link, 'Pay this invoice') : '',
        text(names.get(one.customer_id) || one.customer_id),
        text(money(one.amt_tran, one.tran_currency)),
        text(money(one.amt_paid, one.tran_currency)),
        text(one.status),
      ]),
    },
    {
      title: 'Emails and text messages',
      columns: ['Sent', 'To', 'About'],
      rows: state.notices.map((notice) => [
        text(time(notice.sent)),
        text([...notice.email_address, ...notice.phone_number].join(', ')),
        subject(notice),
      ]),
    },
    {
      title: 'Charges and refunds',
      columns: ['Time', 'Kind', 'Amount', 'Name', 'Order', 'Status'],
      rows: state.transactions.map((one) => [
        text(time(one.tran_time)),
        text(refundWords(one, state) ?? one.request_type),
        text(money(one.amt_tran, one.tran_currency)),
        text(nameOf(one.cardholder_first_name, one.cardholder_last_name)),
        text(one.purchase_id),
        text(refundWords(one, state) ? 'completed' : (STATUSES[one.tran_status] ?? one.tran_status)),
      ]),
    },
    {
      title: 'Webhook deliveries',
      columns: ['Time', 'Event', 'Attempt', 'Response'],
      rows: attempts.map(({ time: at, event, attempt, status }) => [
        text(time(at)),
        text(event),
        text(attempt),
        text(status === 0 ? 'none' : status),
      ]),
    },
    {
      title: 'Webhooks',
      columns: ['Address', 'Events', 'Status'],
      rows: state.webhooks.map(({ notification_url, events, status }) => [
        text(notification_url),
        text((events ?? []).join(', ')),
        text(status),
      ]),
    },
    {
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
      title: 'Credentials for n8n',
      columns: ['Environment', 'Base URL', 'Merchant ID', 'API Key'],
      rows: environments.map(({ name, baseUrl, credentials: { merchantId, apiKey } }) =>
        [name, baseUrl, merchantId, apiKey].map(text),
      ),
    },
  ];
  const head = `<h1>Activity of the service</h1><p class="note">The page updates itself. Each table shows the latest ${MOST_ROWS} rows. Times are in UTC.</p>`;
  const news = '<p id="news" role="status"></p>';
  return page('Overview', `${head}${tables.map(tableHtml).join('')}`, { wide: true, before: news, script: SCRIPT });
}

function tableHtml({ title, columns, rows }: Table): string {
  const heading = `<h2>${escapeHtml(title)} (${rows.length})</h2>`;
  if (rows.length === 0) return `${heading}<p class="note">None yet.</p>`;
  const head = columns.map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join('');
  const newest = rows.slice(-MOST_ROWS).reverse();
  const body = newest.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('');
  return `${heading}<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}
