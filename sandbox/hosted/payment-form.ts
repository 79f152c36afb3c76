import type { DateTime } from 'luxon';

import {
  DECLINE_CARD,
  hasExpired,
  isExpirationDate,
  readAccount,
  readCardNumber,
  type PaymentSource,
} from '../core/cards';
import { toCents } from '../core/money';
import { escapeHtml } from './layout';

export interface FormOptions {
  action: string;
  button: string;
  /** Number of the payment attempt, which identifies a second submission of a form. */
  attempt: number;
  /** Input to show again after an error, except secrets. */
  typed?: FormFields;
  currency?: string;
  /** Amount that the payer may reduce. If missing, the amount is fixed. */
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

const TEST_NOTE = `<div class="note"><p>To test a payment, use the card ${inFours('4111111111111111')} with any future date and any security code.</p>
<p>To test a decline, use the card ${inFours(DECLINE_CARD)}. After a decline, you can pay on the same page with another card.</p></div>`;

function inFours(digits: string): string {
  return digits.replace(/(?<=^(?:.{4})+)(?=.)/g, ' ');
}

function typedOr(typed: FormFields, name: string, start = ''): string {
  return name in typed ? field(typed, name) : start;
}

/** Renders the payment form of a hosted page. */
export function paymentForm(options: FormOptions): string {
  const { savedCards = [], typed = {} } = options;
  const chosen = chosenCard(typed);
  const saved = savedCards.map(
    ({ card_id, masked }) =>
      `<option value="${escapeHtml(card_id)}"${card_id === chosen ? ' selected' : ''}>${escapeHtml(masked)}</option>`,
  );
  return `<form method="post" action="${escapeHtml(options.action)}">
<input type="hidden" name="attempt" value="${options.attempt}">
${options.amount === undefined ? '' : textField('amount', `Amount to pay (${options.currency})`, 'inputmode="decimal" autocomplete="transaction-amount" required', typedOr(typed, 'amount', options.amount))}
${saved.length === 0 ? '' : `<label for="saved_card">Pay with</label><select id="saved_card" name="saved_card"><option value="">A new card</option>${saved.join('')}</select>`}
${textField('holder', 'Name on card', 'autocomplete="cc-name"', typedOr(typed, 'holder', options.holder))}
${textField('card_number', 'Card number', `inputmode="numeric" autocomplete="cc-number" maxlength="23" ${options.allowAch || saved.length > 0 ? '' : 'required'}`)}
<div class="pair">
<div>${textField('exp_date', 'Expires (MM/YY)', 'inputmode="numeric" autocomplete="cc-exp" maxlength="7"', typedOr(typed, 'exp_date'))}</div>
<div>${textField('cvv2', 'Security code', 'inputmode="numeric" autocomplete="cc-csc" maxlength="4"')}</div>
</div>
${options.allowAch ? `<h2>Or pay from a bank account</h2><div class="pair"><div>${textField('tr_number', 'Routing number', 'inputmode="numeric" autocomplete="off" maxlength="9"')}</div><div>${textField('dda_number', 'Account number', 'inputmode="numeric" autocomplete="off" maxlength="17"')}</div></div>` : ''}
${options.offerSaving ? `<label class="choice"><input type="checkbox" name="save_card" value="true"${wantsSaving(typed) ? ' checked' : ''}> Save this card for next time</label>` : ''}
<button type="submit">${escapeHtml(options.button)}</button>
</form>
${TEST_NOTE}`;
}

function field(fields: FormFields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** Reads the submitted card or account. Returns a problem for invalid input. */
export function readSource(fields: FormFields, allowAch: boolean, now: DateTime): PaymentSource | { problem: string } {
  const cardNumber = field(fields, 'card_number').replace(/[ -]/g, '');
  if (cardNumber === '' && allowAch && field(fields, 'dda_number') !== '') {
    const account = readAccount(field(fields, 'tr_number'), field(fields, 'dda_number'));
    return account ?? { problem: 'Check the routing number (nine digits) and the account number.' };
  }
  // Accepts MM/YY and MM/YYYY, because browsers prefill both formats.
  const expirationDate = field(fields, 'exp_date').replace(/^(\d\d) ?[/-] ?(?:20)?(\d\d)$/, '$1$2');
  if (!isExpirationDate(expirationDate))
    return { problem: 'Enter the expiration date as month and year, such as 12/30.' };
  if (hasExpired({ exp_date: expirationDate }, now)) return { problem: 'This card has expired.' };
  return readCardNumber(cardNumber, expirationDate) ?? { problem: 'This card number is not valid. Check the digits.' };
}

/** Reads the submitted amount in cents. Returns undefined unless it is positive and within the balance. */
export function readAmount(fields: FormFields, balanceCents: number, partialAllowed: boolean): number | undefined {
  if (!partialAllowed) return balanceCents;
  const text = field(fields, 'amount');
  const cents = /^\d+(\.\d{1,2})?$/.test(text) ? toCents(Number(text)) : undefined;
  return cents !== undefined && cents > 0 && cents <= balanceCents ? cents : undefined;
}

/** Returns false for a form the payer already submitted. */
export function isCurrentAttempt(fields: FormFields, attempts: number): boolean {
  return field(fields, 'attempt') === String(attempts);
}

/** Returns a message saying that no money moved and what the payer can do next. */
export function declined(rcode: string): string {
  return `The payment was declined (code ${rcode}). Nothing was charged. Enter the card again, or use another card.`;
}

export function chosenCard(fields: FormFields): string {
  return field(fields, 'saved_card');
}

export function wantsSaving(fields: FormFields): boolean {
  return field(fields, 'save_card') === 'true';
}
