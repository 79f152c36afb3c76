import type { IDataObject } from 'n8n-workflow';

import { asText, fullName, objectIn, readableNumber } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { chosenRecord } from '../engine/chosen';
import { fitted, words } from '../engine/line-parts';
import type { Picker } from '../engine/picker';
import { moreOf, personOf, vault } from './customers';
import { amounts, days, ids, texts } from './parts';

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

const stateOf = (status: string) => STATES[status] ?? status.toLowerCase();

function contactName({ billing_contact: contact }: IDataObject): string {
  const { first_name: first, last_name: last, firm_name: firm } = objectIn(contact);
  return fullName(first, last) || asText(firm);
}

/** The service lists the highest invoice numbers first. Omits invoices that the selected operation can't use. */
export const invoices: Picker = {
  of: 'invoices',
  operation: wire.browseInvoices,
  identity: 'invoice_id',
  linked: {
    by: vault.identity,
    to: 'customer_id',
    other: { ...vault, isNeeded: (invoice) => contactName(invoice) === '' },
  },
  searched: { words: ['invoice_number', 'customer_id'], amount: 'amt_tran' },
  ownWords: ['due', 'open', 'not', 'sent', 'paid', 'canceled'],
  shown: (invoice, { now, linked, leftOut }) => {
    const [customer = {}] = linked(invoice);
    const name = contactName(invoice) || personOf(customer) || customer.customer_firm_name || invoice.customer_id;
    const [amount, balance] = [invoice.amt_tran, invoice.amt_balance].map(readableNumber);
    const number = texts(invoice.invoice_number);
    const rest = [
      ...amounts(amount, invoice.tran_currency),
      words(leftOut === undefined ? stateOf(asText(invoice.status)) : ''),
    ];
    return [
      ...number,
      fitted(words(asText(name)), [...number, ...rest]),
      ...rest,
      ...(balance === amount ? [] : amounts(balance, '', 'open')),
      ...days(invoice.date_due, now, 'due'),
    ];
  },
  known: (invoice, { linked }) => {
    const { firm_name: firm, email_address: email } = objectIn(invoice.billing_contact);
    return [...ids(invoice.invoice_id), ...texts(invoice.customer_id, firm, email, moreOf(linked(invoice)[0] ?? {}))];
  },
  leftOut: ({ status }, { operation }) => {
    const state = asText(status);
    // An invoice with an unknown state may be usable, so the list shows the invoice.
    return state in STATES && TAKEN[operation]?.includes(state) === false ? stateOf(state) : undefined;
  },
  add: 'invoice number, whole amount or ID',
};

/** Payment types (openapi.yaml#InvoicePayment). */
const KINDS: Record<string, string> = { CHECK: 'check', CASH: 'cash', OTHER: 'other', CARD: 'card' };

/** Omits card payments, because the service can't change or remove them. */
export const payments: Picker = {
  of: 'payments',
  operation: wire.browseInvoicePayments,
  within: (context) =>
    chosenRecord(context, 'invoice_id') === undefined ? undefined : { operation: wire.browseInvoicePaymentsById },
  identity: 'payment_id',
  searched: { words: ['description', 'type'], amount: 'amt_paid' },
  ownWords: ['on', 'invoice'],
  shown: (payment, { now, isWithin }) => {
    const type = asText(payment.type);
    return [
      words(KINDS[type] ?? type.toLowerCase()),
      ...amounts(payment.amt_paid, payment.tran_currency),
      ...days(payment.date_payment, now),
      ...texts(payment.description),
      ...(isWithin ? [] : texts(`on invoice ${asText(payment.invoice_id)}`)),
    ];
  },
  known: (payment) => ids(payment.payment_id),
  leftOut: ({ type }) => (type === 'CARD' ? 'by card' : undefined),
  add: 'payment type, whole amount, description or ID',
};
