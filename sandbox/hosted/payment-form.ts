import type { DateTime } from 'luxon';

import { hasExpired, isExpirationDate, readAccount, readCardNumber, type PaymentSource } from '../core/cards';
import { toCents } from '../core/money';
import { escapeHtml } from './layout';

/** What a payment form asks for. */
export interface FormOptions {
  action: string;
  button: string;
  /** Which try this form is for; a form sent twice is recognised by it. */
  attempt: number;
  /** When set, a person may choose a smaller amount. */
  amount?: string;
  allowAch: boolean;
  offerSaving: boolean;
  holder: string;
  savedCards?: ReadonlyArray<{ card_id: string; masked: string }>;
}

export type FormFields = Readonly<Record<string, unknown>>;

function textField(name: string, label: string, attributes: string, value = ''): string {
  return `<label for="${name}">${escapeHtml(label)}</label>
<input type="text" id="${name}" name="${name}" value="${escapeHtml(value)}" ${attributes}>`;
}

/** The form of the hosted pages. It is sent as application/x-www-form-urlencoded. */
export function paymentForm(options: FormOptions): string {
  const { savedCards = [] } = options;
  const saved = savedCards.map(
    ({ card_id, masked }) => `<option value="${escapeHtml(card_id)}">${escapeHtml(masked)}</option>`,
  );
  return `<form method="post" action="${escapeHtml(options.action)}" autocomplete="off">
<input type="hidden" name="attempt" value="${options.attempt}">
${options.amount === undefined ? '' : textField('amount', 'Amount to pay', 'inputmode="decimal" required', options.amount)}
${saved.length === 0 ? '' : `<label for="saved_card">Pay with</label><select id="saved_card" name="saved_card"><option value="">A new card</option>${saved.join('')}</select>`}
${textField('holder', 'Name on card', '', options.holder)}
${textField('card_number', 'Card number', `inputmode="numeric" maxlength="23" ${options.allowAch || saved.length > 0 ? '' : 'required'}`)}
<div class="pair">
<div>${textField('exp_date', 'Expires (MMYY)', 'inputmode="numeric" maxlength="5"')}</div>
<div>${textField('cvv2', 'Security code', 'inputmode="numeric" maxlength="4"')}</div>
</div>
${options.allowAch ? `<h2>Or pay from a bank account</h2><div class="pair"><div>${textField('tr_number', 'Routing number', 'inputmode="numeric" maxlength="9"')}</div><div>${textField('dda_number', 'Account number', 'inputmode="numeric" maxlength="17"')}</div></div>` : ''}
${options.offerSaving ? '<label class="choice"><input type="checkbox" name="save_card" value="true"> Save this card for next time</label>' : ''}
<button type="submit">${escapeHtml(options.button)}</button>
</form>
<p class="note">Test card: 4111 1111 1111 1111, any later date. An amount below 1.00 is answered with the code of its cents.</p>`;
}

function field(fields: FormFields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** The payment source a person typed in, or what is wrong with it. */
export function readSource(fields: FormFields, allowAch: boolean, now: DateTime): PaymentSource | { problem: string } {
  const cardNumber = field(fields, 'card_number').replace(/[ -]/g, '');
  if (cardNumber === '' && allowAch && field(fields, 'dda_number') !== '') {
    const account = readAccount(field(fields, 'tr_number'), field(fields, 'dda_number'));
    return account ?? { problem: 'Check the routing number (nine digits) and the account number.' };
  }
  const expirationDate = field(fields, 'exp_date').replace('/', '');
  if (!isExpirationDate(expirationDate)) return { problem: 'Enter the expiry as month and year, such as 1230.' };
  if (hasExpired({ exp_date: expirationDate }, now)) return { problem: 'This card has expired.' };
  return readCardNumber(cardNumber, expirationDate) ?? { problem: 'This card number is not valid. Check its digits.' };
}

/** The amount a person typed in, in cents: more than nothing and at most the balance. */
export function readAmount(fields: FormFields, balanceCents: number, partialAllowed: boolean): number | undefined {
  if (!partialAllowed) return balanceCents;
  const text = field(fields, 'amount');
  const cents = /^\d+(\.\d{1,2})?$/.test(text) ? toCents(Number(text)) : undefined;
  return cents !== undefined && cents > 0 && cents <= balanceCents ? cents : undefined;
}

/** Whether the form was made for the try that comes next, so that it has not been sent before. */
export function isCurrentAttempt(fields: FormFields, attempts: number): boolean {
  return field(fields, 'attempt') === String(attempts);
}

export function chosenCard(fields: FormFields): string {
  return field(fields, 'saved_card');
}

export function wantsSaving(fields: FormFields): boolean {
  return field(fields, 'save_card') === 'true';
}
