import type { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { REPORT_ZONE } from '../../fields/kinds/date';
import { asText, readableNumber } from '../../shared/objects';
import { currencyLetters } from '../../fields/currencies';
import { chosenRecord } from '../engine/linked';
import { MONTHS } from '../engine/days';
import { day, fitted, id, money, withPart, words, type Part } from '../engine/line-parts';
import { METHOD_WORDS, paymentMethodPart } from '../engine/payment-method';
import { searchList } from '../engine/list-search';
import type { ListEntry, Picker, View } from '../engine/picker';
import {
  deadlinePart,
  leftOf,
  statusPart,
  timeOf,
  whyNot,
  whyNotCapture,
  whyNotSuccessful,
  whyNotVoid,
} from './refundable';

/** The service lists the newest transactions first (service.md#lists). */
const transactions: Omit<Picker, 'entries'> = {
  of: 'transactions',
  path: '/platform/reporting/transaction-requests',
  identity: 'pg_id',
  searched: {
    words: ['cardholder_first_name', 'cardholder_last_name', 'purchase_id', 'merch_ref_num', 'pg_id'],
    amount: 'amt_tran',
    time: { field: 'tran_time', zone: REPORT_ZONE },
    card: 'card_number',
  },
  ownWords: new Set([
    ...['left', 'captured', 'deposit', 'sent', 'deposited', 'settled', 'status', 'id', 'authorized', 'until'],
    ...METHOD_WORDS,
    ...MONTHS,
  ]),
  add: 'whole amount, day, order number or ID',
};

interface Usable {
  whyNot: (record: IDataObject, left: number | undefined, now: DateTime) => string | undefined;
  status: (record: IDataObject, now: DateTime) => Part;
  showsLeft?: true;
}

const REFUNDABLE: Usable = { whyNot, status: statusPart, showsLeft: true };
const SUCCESSFUL: Usable = { whyNot: whyNotSuccessful, status: statusPart };
const USABLE: Record<string, Usable> = {
  void: { whyNot: whyNotVoid, status: statusPart },
  recharge: SUCCESSFUL,
  emailReceipt: SUCCESSFUL,
};
const CAPTURABLE: Usable = { whyNot: whyNotCapture, status: deadlinePart };

const entriesFor =
  (usable: Usable): Picker['entries'] =>
  (record, view) =>
    entry(record, view, usable);

function entry(record: IDataObject, { now, linked }: View, { whyNot: reason, status, showsLeft }: Usable): ListEntry[] {
  const left = leftOf(record, linked(record));
  const amount = readableNumber(record.amt_tran);
  const time = timeOf(record)?.setZone(now.zone);
  const person = [record.cardholder_first_name, record.cardholder_last_name].map(asText).filter(Boolean).join(' ');
  const leftOut = reason(record, left, now);
  const identifying = [
    ...(amount === undefined ? [] : [amountOf(record, amount, showsLeft && leftOut === undefined ? left : undefined)]),
    ...(time ? [day(time, now)] : []),
  ];
  const shown = [
    fitted(words(person), identifying),
    ...identifying,
    paymentMethodPart(record.card_type, record.card_number),
    words(asText(record.purchase_id)),
    ...(leftOut === undefined ? [status(record, now)] : []),
  ];
  const known = [id(asText(record.pg_id)), id(asText(record.auth_code)), words(asText(record.merch_ref_num))];
  return [{ id: asText(record.pg_id), shown, known, ...(leftOut !== undefined && { leftOut }) }];
}

function amountOf(record: IDataObject, amount: number, left: number | undefined): Part {
  const whole = money(amount, currencyLetters(asText(record.tran_currency)));
  return left === undefined || left === amount ? whole : withPart(whole, money(left, 'left'));
}

/** Omits transactions that the selected operation can't use. */
export async function searchSales(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const usable = USABLE[chosenRecord(this, 'operation') ?? ''] ?? REFUNDABLE;
  const sales: Picker = {
    ...transactions,
    linked: { by: 'pg_id_linked', to: 'pg_id' },
    entries: entriesFor(usable),
  };
  return await searchList(this, sales, search, paginationToken);
}

/** The list omits captures, because the status of an authorization shows whether it is captured. */
const authorizations: Picker = {
  ...transactions,
  of: 'authorizations',
  filters: () => ['request_type,IS,auth'],
  entries: entriesFor(CAPTURABLE),
};

export async function searchAuthorizations(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  return await searchList(this, authorizations, search, paginationToken);
}
