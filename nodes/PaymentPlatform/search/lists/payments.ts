import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { calendarDay } from '../../fields/kinds/date';
import { asText, readableNumber } from '../../shared/objects';
import { chosenRecord } from '../engine/linked';
import { currencyLetters } from '../../fields/currencies';
import { day, id, money, words } from '../engine/line-parts';
import { searchList } from '../engine/list-search';
import type { ListEntry, Picker, View } from '../engine/picker';

/** Payment types (openapi.yaml#InvoicePayment). */
const KINDS: Record<string, string> = { CHECK: 'check', CASH: 'cash', OTHER: 'other', CARD: 'card' };

/** Limited to the selected invoice, if any. Omits card payments, because the service can't change or remove them. */
export async function searchPayments(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const invoice = chosenRecord(this, 'invoice_id');
  const payments: Picker = {
    of: 'payments',
    path: invoice === undefined ? '/platform/invoice/payments' : `/platform/invoice/${invoice}/payments`,
    identity: 'payment_id',
    searched: { words: ['description', 'type'], amount: 'amt_paid' },
    ownWords: new Set(['on', 'invoice']),
    entries: (record, view) => paymentEntry(record, view, invoice === undefined),
    add: 'payment type, whole amount, description or ID',
  };
  return await searchList(this, payments, search, paginationToken);
}

function paymentEntry(payment: IDataObject, { now }: View, withInvoice: boolean): ListEntry[] {
  const type = asText(payment.type);
  const amount = readableNumber(payment.amt_paid);
  const zone = now.zoneName ?? 'utc';
  const paid = calendarDay(payment.date_payment, zone);
  const number = asText(payment.payment_id);
  const shown = [
    words(KINDS[type] ?? type.toLowerCase()),
    ...(amount === undefined ? [] : [money(amount, currencyLetters(asText(payment.tran_currency)))]),
    ...(paid === undefined ? [] : [day(DateTime.fromISO(paid, { zone }), now)]),
    words(asText(payment.description)),
    ...(withInvoice ? [words(`on invoice ${asText(payment.invoice_id)}`)] : []),
  ];
  return [{ id: number, shown, known: [id(number)], ...(type === 'CARD' && { leftOut: 'by card' }) }];
}
