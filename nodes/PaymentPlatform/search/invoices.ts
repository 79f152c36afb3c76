import { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { calendarDay } from '../fields/date';
import { readableNumber } from '../pipeline/amounts';
import { asText, objectIn } from '../shared/objects';
import { currencyLetters } from './currency';
import { day, id, money, words } from './parts';
import { pick } from './pick';
import type { Entry, Picker, View } from './picker';

/** Letters of the service (docs/service.md#letters), with what a person reads. */
const OPEN: Record<string, string> = { SAVED: 'not sent', OUTSTANDING: 'sent' };
/** Nothing can be done with these any more. */
const LOCKED: Record<string, string> = { PAID: 'paid', CANCELED: 'canceled' };

/** Invoices, the highest number first as the service sorts them; the list is known from the reference. */
const invoices: Picker = {
  of: 'invoices',
  path: '/platform/invoice',
  identity: 'invoice_id',
  searched: { words: ['invoice_number', 'customer_id'], amount: 'amt_tran' },
  ownWords: new Set(['due', 'open', 'not', 'sent']),
  entries: invoiceEntry,
  add: 'invoice number, whole amount or ID',
};

function invoiceEntry(invoice: IDataObject, { now }: View): Entry[] {
  const contact = objectIn(invoice.billing_contact);
  const person = [contact.first_name, contact.last_name].map(asText).filter(Boolean).join(' ');
  const status = asText(invoice.status);
  const [amount, balance] = [invoice.amt_tran, invoice.amt_balance].map(readableNumber);
  const due = calendarDay(invoice.date_due, now.zoneName ?? 'utc');
  const shown = [
    words(asText(invoice.invoice_number)),
    ...(amount === undefined ? [] : [money(amount, currencyLetters(asText(invoice.tran_currency)))]),
    ...(balance === undefined || balance === amount ? [] : [money(balance, 'open')]),
    words(OPEN[status] ?? (LOCKED[status] === undefined ? status.toLowerCase() : '')),
    words(person || asText(contact.firm_name)),
    ...(due === undefined ? [] : [dueOn(due, now)]),
  ];
  const known = [
    id(asText(invoice.invoice_id)),
    ...[invoice.customer_id, contact.firm_name, contact.email_address].map((text) => words(asText(text))),
  ];
  const leftOut = LOCKED[status];
  return [{ id: asText(invoice.invoice_id), shown, known, ...(leftOut !== undefined && { leftOut }) }];
}

/** The day as it is written: a due date has no time zone. */
function dueOn(date: string, now: DateTime) {
  const part = day(DateTime.fromISO(date, { zone: now.zoneName ?? 'utc' }), now);
  return { ...part, text: `due ${part.text}` };
}

/** Invoices for "From List": those with which something can be done. */
export async function searchInvoices(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  return await pick(this, invoices, search, paginationToken);
}
