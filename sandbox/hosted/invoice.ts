import { currencyName, moneyText } from '../core/currency';
import { formatCents } from '../core/money';
import { addPayment, lineCents } from '../rules/invoices';
import { isApproved, runSale } from '../rules/sales';
import type { Environment } from '../state/environment';
import type { Invoice } from '../state/records';
import { payerOf } from '../views/customers';
import { transactionResult } from '../views/transactions';
import { invoiceBalance, invoiceLink } from '../views/invoices';
import { escapeHtml, messageBox, messagePage, page } from './layout';
import { declined, isCurrentAttempt, paymentForm, readAmount, readSource, type FormFields } from './payment-form';

/** Renders an invoice's page with its line items and payment form. */
export function invoicePage(environment: Environment, invoice: Invoice, problem?: string, typed?: FormFields): string {
  invoice.date_last_view = environment.clock.now();
  const number = invoice.details.invoice_number ?? String(invoice.invoice_id);
  const balance = invoiceBalance(invoice);
  const currency = invoice.details.tran_currency;
  const title = `Invoice ${number}`;
  const isPaid = invoice.status === 'PAID';
  const amount = isPaid ? `Paid ${moneyText(invoice.paidCents, currency)}` : moneyText(balance, currency);
  const head = `<h1>${escapeHtml(title)}</h1><p class="note">Due ${invoice.date_due.toFormat('d LLLL yyyy')}</p>
<p class="amount">${amount}</p>${linesTable(invoice)}`;
  if (isPaid) return page(title, `${head}${messageBox('This invoice is paid. Thank you.', 'good')}`);
  if (invoice.status === 'SAVED') return messagePage(title, 'This invoice has not been sent yet.');
  if (invoice.status === 'CANCELED') return messagePage(title, 'This invoice was canceled.');
  const settings = invoice.details.checkout_settings;
  const form = paymentForm({
    action: invoiceLink(environment, invoice),
    button: settings?.allow_partial_payments ? 'Pay' : `Pay ${moneyText(balance, currency)}`,
    attempt: invoice.hostedAttempts,
    typed,
    currency: currencyName(currency),
    amount: settings?.allow_partial_payments ? formatCents(balance) : undefined,
    allowAch: settings?.allow_ach_payment === true,
    offerSaving: false,
    holder: [invoice.details.billing_contact?.first_name, invoice.details.billing_contact?.last_name]
      .filter(Boolean)
      .join(' '),
  });
  return page(title, `${head}${problem === undefined ? '' : messageBox(problem, 'bad')}${form}`);
}

function linesTable(invoice: Invoice): string {
  const row = (text: string, amount: string, kind = ''): string =>
    `<tr class="${kind}"><th scope="row">${escapeHtml(text)}</th><td class="number">${escapeHtml(amount)}</td></tr>`;
  const lines = (invoice.details.line_items ?? []).map(({ quantity = 0, description = '', unit_cost = 0 }) =>
    row(`${quantity} × ${description}, ${unit_cost.toFixed(2)} each`, formatCents(lineCents(quantity, unit_cost))),
  );
  const sums = [
    row('Subtotal', formatCents(invoice.subTotalCents)),
    row('Tax', formatCents(invoice.taxCents)),
    row('Paid', formatCents(invoice.paidCents)),
    row('To pay', formatCents(invoiceBalance(invoice)), 'total'),
  ];
  return `<table><tbody>${[...lines, ...sums].join('')}</tbody></table>`;
}

export function payInvoice(environment: Environment, invoice: Invoice, fields: FormFields): string {
  if (invoice.status !== 'OUTSTANDING') return invoicePage(environment, invoice);
  if (!isCurrentAttempt(fields, invoice.hostedAttempts))
    return invoicePage(
      environment,
      invoice,
      'This form was already submitted. Check the remaining balance before you pay again.',
    );
  const again = (problem: string) => invoicePage(environment, invoice, problem, fields);
  const settings = invoice.details.checkout_settings;
  const cents = readAmount(fields, invoiceBalance(invoice), settings?.allow_partial_payments === true);
  if (cents === undefined)
    return again(
      `Enter an amount up to the remaining balance of ${moneyText(invoiceBalance(invoice), invoice.details.tran_currency)}.`,
    );
  const source = readSource(fields, settings?.allow_ach_payment === true, environment.clock.now());
  if ('problem' in source) return again(source.problem);
  invoice.hostedAttempts += 1;
  const customer = environment.findCustomer(invoice.merchant_id, invoice.details.customer_id);
  const sale = runSale(environment, {
    merchantId: invoice.merchant_id,
    amountCents: cents,
    source,
    tran_currency: invoice.details.tran_currency,
    purchase_id: invoice.details.invoice_number,
    profile_id: invoice.details.profile_id,
    payer: customer && payerOf(customer),
  });
  if (!isApproved(sale)) {
    environment.emit('invoice_payment_failure', invoice.merchant_id, {
      ...transactionResult(sale),
      invoice_id: invoice.invoice_id,
    });
    return again(declined(sale.rcode));
  }
  addPayment(environment, invoice, {
    type: 'CARD',
    paidCents: sale.capturedCents,
    date_payment: sale.time,
    tran_status: sale.tran_status,
    pg_id: sale.pg_id,
  });
  return resultPage(invoice, sale.capturedCents, sale.pg_id);
}

function resultPage(invoice: Invoice, paidCents: number, pg_id: string): string {
  const left = invoiceBalance(invoice);
  const currency = invoice.details.tran_currency;
  const rest =
    left > 0 ? `<p>The remaining balance is ${moneyText(left, currency)}.</p>` : '<p>The invoice is paid in full.</p>';
  return page(
    'Payment received',
    `<h1>Payment received</h1>${messageBox(`${moneyText(paidCents, currency)} was paid. Thank you.`, 'good')}${rest}
<p class="note">Reference ${escapeHtml(pg_id)}</p>`,
  );
}
