import { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { calendarDay } from '../../fields/kinds/date';
import { asText, objectIn, readableNumber } from '../../shared/objects';
import { chosenRecord } from '../engine/linked';
import { moreOf, personOf, vault } from './customers';
import { currencyLetters } from '../../fields/currencies';
import { day, fitted, id, money, words } from '../engine/line-parts';
import { searchList } from '../engine/list-search';
import type { ListEntry, Picker, View } from '../engine/picker';

/** States of an invoice (service.md#letters). */
const STATES: Record<string, string> = {
  SAVED: 'not sent',
  OUTSTANDING: 'sent',
  PAID: 'paid',
  CANCELED: 'canceled',
};
/** States of invoices that an operation accepts (service.md#invoices). Other operations accept every state. */
const TAKEN: Record<string, readonly string[]> = {
  send: ['SAVED'],
  update: ['SAVED'],
  updateContacts: ['OUTSTANDING'],
  resend: ['OUTSTANDING', 'PAID'],
  ...Object.fromEntries(
    ['cancel', 'addPayment', 'updatePayment', 'deletePayment'].map((name) => [name, ['SAVED', 'OUTSTANDING']]),
  ),
};

/** The service lists the highest invoice numbers first. */
const invoices: Omit<Picker, 'entries'> = {
  of: 'invoices',
  path: '/platform/invoice',
  identity: 'invoice_id',
  linked: {
    by: vault.identity,
    to: 'customer_id',
    other: { path: vault.path, identity: vault.identity, isNeeded: (invoice) => contactName(invoice) === '' },
  },
  searched: { words: ['invoice_number', 'customer_id'], amount: 'amt_tran' },
  ownWords: new Set(['due', 'open', 'not', 'sent', 'paid', 'canceled']),
  add: 'invoice number, whole amount or ID',
};

function contactName({ billing_contact: contact }: IDataObject): string {
  const { first_name: first, last_name: last, firm_name: firm } = objectIn(contact);
  return [first, last].map(asText).filter(Boolean).join(' ') || asText(firm);
}

function invoiceEntry(invoice: IDataObject, { now, linked }: View, taken?: readonly string[]): ListEntry[] {
  const contact = objectIn(invoice.billing_contact);
  const [customer = {}] = linked(invoice);
  const customerName = personOf(customer) || asText(customer.customer_firm_name);
  const status = asText(invoice.status);
  const inWords = STATES[status] ?? status.toLowerCase();
  // An invoice with an unknown state may be usable, so the list shows the invoice.
  const leftOut = taken && status in STATES && !taken.includes(status) ? inWords : undefined;
  const [amount, balance] = [invoice.amt_tran, invoice.amt_balance].map(readableNumber);
  const due = calendarDay(invoice.date_due, now.zoneName ?? 'utc');
  const number = words(asText(invoice.invoice_number));
  const total = amount === undefined ? [] : [money(amount, currencyLetters(asText(invoice.tran_currency)))];
  const open = balance === undefined || balance === amount ? [] : [money(balance, 'open')];
  const state = words(leftOut === undefined ? inWords : '');
  const shown = [
    number,
    fitted(words(contactName(invoice) || customerName || asText(invoice.customer_id)), [number, ...total, state]),
    ...total,
    state,
    ...open,
    ...(due === undefined ? [] : [dueOn(due, now)]),
  ];
  const known = [
    id(asText(invoice.invoice_id)),
    ...[invoice.customer_id, contact.firm_name, contact.email_address].map((text) => words(asText(text))),
    words(moreOf(customer)),
  ];
  return [{ id: asText(invoice.invoice_id), shown, known, ...(leftOut !== undefined && { leftOut }) }];
}

/** The due date has no time zone, so the function doesn't convert it. */
function dueOn(date: string, now: DateTime) {
  const part = day(DateTime.fromISO(date, { zone: now.zoneName ?? 'utc' }), now);
  return { ...part, text: `due ${part.text}` };
}

/** Omits invoices that the selected operation can't use. */
export async function searchInvoices(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const taken = TAKEN[chosenRecord(this, 'operation') ?? ''];
  const entries = (record: IDataObject, view: View) => invoiceEntry(record, view, taken);
  return await searchList(this, { ...invoices, entries }, search, paginationToken);
}
