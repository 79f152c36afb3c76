import type { PaymentSource } from '../core/cards';
import { currencyName, moneyText } from '../core/currency';
import { formatCents } from '../core/money';
import { isApproved, runSale } from '../rules/sales';
import type { Environment } from '../state/environment';
import type { Checkout, Customer, Payer } from '../state/records';
import { checkoutBalance, checkoutLink } from '../views/checkouts';
import { payerOf } from '../views/customers';
import { transactionResult } from '../views/transactions';
import { escapeHtml, messageBox, messagePage, page } from './layout';
import {
  chosenCard,
  declined,
  isCurrentAttempt,
  paymentForm,
  readAmount,
  readSource,
  wantsSaving,
  type FormFields,
} from './payment-form';
import { savePaymentMethod } from './saving';

function customerOf(environment: Environment, checkout: Checkout): Customer | undefined {
  const customerId = checkout.details.customer_id;
  return customerId === undefined ? undefined : environment.findCustomer(checkout.merchant_id, customerId);
}

function closedPage(environment: Environment, checkout: Checkout): string | undefined {
  if (checkout.used) return messagePage('Already used', 'This link was already used and no longer works.');
  if (environment.clock.now() >= checkout.expires) return messagePage('Expired', 'This link has expired.');
  return undefined;
}

/** Renders a page that accepts a payment or, without an amount, saves a payment method. */
export function checkoutPage(
  environment: Environment,
  checkout: Checkout,
  problem?: string,
  typed?: FormFields,
): string {
  const closed = closedPage(environment, checkout);
  if (closed !== undefined) return closed;
  const preferences = checkout.details.preferences ?? {};
  const balance = checkoutBalance(checkout);
  const saving = checkout.amountCents === undefined;
  const customer = customerOf(environment, checkout);
  const title = saving ? 'Save a payment method' : 'Checkout';
  const form = paymentForm({
    action: checkoutLink(environment, checkout),
    button: saving
      ? 'Save'
      : preferences.allow_partial_payments
        ? 'Pay'
        : `Pay ${moneyText(balance, checkout.tran_currency)}`,
    attempt: checkout.hostedAttempts,
    typed,
    currency: currencyName(checkout.tran_currency),
    amount: !saving && preferences.allow_partial_payments ? formatCents(balance) : undefined,
    allowAch: preferences.allow_ach_payment === true,
    offerSaving: !saving && preferences.allow_save_card === true && checkout.details.customer_id !== undefined,
    holder: holderOf(checkout, customer),
    savedCards: !saving && preferences.show_saved_payment_methods ? savedCards(customer) : [],
  });
  const amount = saving ? '' : `<p class="amount">${moneyText(balance, checkout.tran_currency)}</p>`;
  return page(
    title,
    `<h1>${title}</h1><p class="note">Reference ${escapeHtml(checkout.purchase_id)}</p>${amount}${
      problem === undefined ? '' : messageBox(problem, 'bad')
    }${form}`,
  );
}

function holderOf({ details }: Checkout, customer: Customer | undefined): string {
  const first = details.customer_first_name ?? customer?.customer_first_name;
  const last = details.customer_last_name ?? customer?.customer_last_name;
  return [first, last].filter(Boolean).join(' ');
}

function savedCards(customer: Customer | undefined): Array<{ card_id: string; masked: string }> {
  return (customer?.billing_cards ?? []).map(({ card_id, source }) => ({ card_id, masked: source.masked }));
}

/** Pays the amount or saves the payment method. Returns the next page. */
export function useCheckout(environment: Environment, checkout: Checkout, fields: FormFields): string {
  const closed = closedPage(environment, checkout);
  if (closed !== undefined) return closed;
  if (!isCurrentAttempt(fields, checkout.hostedAttempts))
    return checkoutPage(
      environment,
      checkout,
      'This form was already submitted. Check the remaining balance before you pay again.',
    );
  const preferences = checkout.details.preferences ?? {};
  const saved = customerOf(environment, checkout)?.billing_cards.find((card) => card.card_id === chosenCard(fields));
  const source =
    saved && preferences.show_saved_payment_methods
      ? saved.source
      : readSource(fields, preferences.allow_ach_payment === true, environment.clock.now());
  if ('problem' in source) return checkoutPage(environment, checkout, source.problem, fields);
  if (checkout.amountCents !== undefined) return pay(environment, checkout, fields, source, saved?.card_id);
  checkout.hostedAttempts += 1;
  savePaymentMethod(environment, checkout, source);
  checkout.used = true;
  return page('Saved', `<h1>Saved</h1>${messageBox(`${source.masked} was saved.`, 'good')}${wayBack(checkout)}`);
}

function pay(
  environment: Environment,
  checkout: Checkout,
  fields: FormFields,
  source: PaymentSource,
  card_id: string | undefined,
): string {
  const again = (problem: string) => checkoutPage(environment, checkout, problem, fields);
  const preferences = checkout.details.preferences ?? {};
  const cents = readAmount(fields, checkoutBalance(checkout), preferences.allow_partial_payments === true);
  if (cents === undefined)
    return again(
      `Enter an amount up to the remaining balance of ${moneyText(checkoutBalance(checkout), checkout.tran_currency)}.`,
    );
  checkout.hostedAttempts += 1;
  const customer = customerOf(environment, checkout);
  const sale = runSale(environment, {
    merchantId: checkout.merchant_id,
    amountCents: cents,
    source,
    card_id,
    tran_currency: checkout.tran_currency,
    purchase_id: checkout.purchase_id,
    merch_ref_num: checkout.details.merch_ref_num,
    profile_id: checkout.details.profile_id,
    payer: customer ? payerOf(customer) : payerFromRequest(checkout),
  });
  checkout.transactions.push(sale);
  const event = isApproved(sale) ? 'checkout_payment_success' : 'checkout_payment_failure';
  environment.emit(event, checkout.merchant_id, { ...transactionResult(sale), checkout_id: checkout.checkout_id });
  if (!isApproved(sale)) return again(declined(sale.rcode));
  checkout.paidCents += sale.capturedCents;
  checkout.used = checkoutBalance(checkout) === 0 || !preferences.allow_partial_payments;
  if (wantsSaving(fields) && preferences.allow_save_card) savePaymentMethod(environment, checkout, source);
  const rest = checkout.used
    ? ''
    : `<p>The remaining balance is ${moneyText(checkoutBalance(checkout), checkout.tran_currency)}.</p>`;
  const done = messageBox(`${moneyText(sale.capturedCents, checkout.tran_currency)} was paid. Thank you.`, 'good');
  return page(
    'Payment received',
    `<h1>Payment received</h1>${done}${rest}<p class="note">Reference ${sale.pg_id}</p>${wayBack(checkout)}`,
  );
}

function payerFromRequest({ details }: Checkout): Payer {
  const { customer_phone, customer_id, customer_first_name, customer_last_name, customer_firm_name, customer_email } =
    details;
  const { billing_addr1, billing_city, billing_state, billing_zip } = details;
  return {
    customer_id,
    customer_first_name,
    customer_last_name,
    customer_firm_name,
    customer_email,
    customer_phone: customer_phone === undefined ? undefined : String(customer_phone),
    billing_addr1,
    billing_city,
    billing_state,
    billing_zip,
  };
}

/** Links to the merchant's success page instead of redirecting. */
function wayBack({ details }: Checkout): string {
  const address = details.preferences?.success_url;
  if (address === undefined || !/^https?:\/\//.test(address)) return '';
  return `<p><a href="${escapeHtml(address)}" rel="noreferrer">Continue</a></p>`;
}
