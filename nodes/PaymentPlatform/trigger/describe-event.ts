import type { IDataObject } from 'n8n-workflow';

import { EVENT_GROUPS } from '../fields/events';
import { inMoney } from '../messages/what-happened';
import { asText, cut, isList, isObject, objectIn } from '../shared/objects';
import { CreateInvoiceRequest } from '../wire/schemas';
import { CODE_WORDS } from '../wire/words';
import { recordsOf, type Payload } from './delivery';

interface Sentence {
  /** `{}` stands for the record, and `{status}` for the record's status in words. */
  text: string;
  /** Fields that can identify the record, best first. */
  ids: readonly string[];
  /** Fields that can contain the moved amount in the currency's main unit, best first. */
  amounts?: readonly string[];
}

const INVOICE = ['invoice_number', 'invoice_id'];
const UPDATER = ['request_id'];
const PAYMENT = { ids: ['pg_id'], amounts: ['amt_tran'] } as const;
const CHECKOUT = { ids: ['checkout_id'], amounts: ['amt_tran'] } as const;
const RECURRING = { ids: ['subscription_id'], amounts: ['amt_tran', 'recur_amt'] } as const;

const SENTENCES: Partial<Record<string, Sentence>> = {
  account_updater_request_completed: { text: 'Account updater request {} is complete', ids: UPDATER },
  account_updater_request_created: { text: 'The service created account updater request {}', ids: UPDATER },
  checkout_payment_failure: { text: 'A payment on checkout {} was declined', ...CHECKOUT },
  checkout_payment_success: { text: 'Checkout {} was paid', ...CHECKOUT },
  dispute_update: { text: 'Dispute {} is {status}', ids: ['rec_id'], amounts: ['amt_dispute'] },
  invoice_email_undeliverable: { text: 'An email with invoice {} bounced', ids: INVOICE },
  invoice_paid: { text: 'Invoice {} was paid in full', ids: INVOICE, amounts: ['amt_paid', 'amt_tran'] },
  invoice_payment_failure: { text: 'A payment on invoice {} failed', ids: INVOICE, amounts: ['amt_tran', 'amt_paid'] },
  invoice_payment_success: { text: 'A payment on invoice {} was approved', ids: INVOICE, amounts: ['amt_paid'] },
  qp_manager_capture_success: { text: 'A user captured payment {} in the merchant portal', ...PAYMENT },
  qp_manager_refund_success: { text: 'A user refunded payment {} in the merchant portal', ...PAYMENT },
  qp_manager_void_success: { text: 'A user voided payment {} in the merchant portal', ...PAYMENT },
  subscription_complete: { text: 'The last billing cycle of subscription {} is complete', ids: ['subscription_id'] },
  subscription_payment_failure: { text: 'A recurring payment of subscription {} failed', ...RECURRING },
  subscription_payment_success: { text: 'A recurring payment of subscription {} was approved', ...RECURRING },
  subscription_suspended: { text: 'The service suspended subscription {}', ids: ['subscription_id'] },
  transaction_status_updated: { text: 'Payment {} is {status}', ...PAYMENT },
};

/** Operations whose records have the codes of an event's status. */
const STATUSES: Partial<Record<string, [operationId: string, field: string]>> = {
  dispute_update: ['getDisputes', 'status'],
  transaction_status_updated: ['getTransactionRequests', 'tran_status'],
};

const MOST_LETTERS = 60;

/**
 * Describes an event in one sentence: what happened to which record, the amount and whose it is. Values that the event
 * doesn't contain are left out. Without a record, describes the kind of event.
 * @param record record of an event about several records.
 */
export function describeEvent(payload: Payload, record?: IDataObject): string {
  const event = asText(payload.event);
  const [only, ...others] = recordsOf(payload) ?? [objectIn(payload.data)];
  const of = record ?? (others.length === 0 ? only : undefined);
  const told = SENTENCES[event];
  const card = of && record && UPDATER === told?.ids ? describeCard(of) : undefined;
  if (card !== undefined) return card;
  const id = of && told && firstIn(of, told.ids);
  if (!of || !told || !id) return describeKind(event);
  const status = statusOf(event, of);
  if (told.text.includes('{status}') && status === undefined) return describeKind(event);
  const sentence = told.text.replace('{status}', () => status ?? '').replace('{}', () => id);
  const amount = firstIn(of, told.amounts ?? []);
  const details = [amount === undefined ? undefined : inMoney(amount, currencyOf(of)), ownerOf(of)].filter(Boolean);
  return details.length === 0 ? sentence : `${sentence}: ${details.join(', ')}`;
}

/** A complete invoice without a currency is in the service's default currency. */
const currencyOf = ({ tran_currency: currency, line_items: lines }: IDataObject): unknown =>
  currency ?? (lines === undefined ? undefined : CreateInvoiceRequest.tran_currency.serverDefault);

/** Describes the card issuer's response, or why the service rejected the card. */
function describeCard(card: IDataObject): string | undefined {
  const id = firstIn(card, ['card_id', 'card_number']) ?? 'without reference';
  const words = CODE_WORDS.getAusDetail?.reason_code?.[asText(card.reason_code)];
  const [, month, year] = /^(\d\d)(\d\d)$/.exec(asText(card.exp_date_new)) ?? [];
  const date = month === undefined ? '' : `, expires ${month}/${year}`;
  if (words !== undefined) return `Card ${id}: ${words}${date}`;
  const reason = firstIn(card, ['reject_reason']);
  return reason === undefined ? undefined : `Card ${id} was rejected: ${reason}`;
}

/** Describes the kind of event as the editor does. */
function describeKind(event: string): string {
  const known = EVENT_GROUPS.flatMap(({ events }) => events).find(({ value }) => value === event);
  return known ? (known.description.split(/, e\.g\. |\. /)[0] ?? '') : `The service reported the event ${event}`;
}

function firstIn(record: IDataObject, names: readonly string[]): string | undefined {
  const values = names.map((name) => record[name]).filter((value) => !isObject(value) && !isList(value));
  return values.map((value) => cut(asText(value).trim(), MOST_LETTERS)).find((text) => text !== '');
}

function statusOf(event: string, record: IDataObject): string | undefined {
  const [operationId = '', field = ''] = STATUSES[event] ?? [];
  return CODE_WORDS[operationId]?.[field]?.[asText(record[field]).trim()];
}

/** Returns the customer's name, ID or order, whichever the event contains. */
function ownerOf(record: IDataObject): string | undefined {
  const people = [record, objectIn(record.customer), objectIn(record.billing_contact)];
  const names = people.flatMap((person) =>
    [
      ['customer_first_name', 'customer_last_name'],
      ['cardholder_first_name', 'cardholder_last_name'],
      ['first_name', 'last_name'],
      ['customer_firm_name'],
      ['firm_name'],
    ].map((parts) => parts.flatMap((part) => firstIn(person, [part]) ?? []).join(' ')),
  );
  const labeled = [
    ['customer_id', 'customer'],
    ['purchase_id', 'order'],
  ].flatMap(([name = '', label]) => {
    const value = firstIn(record, [name]);
    return value === undefined ? [] : [`${label} ${value}`];
  });
  return [...names, ...labeled].find((text) => text !== '');
}
