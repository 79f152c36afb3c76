import type { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { currencyLetters } from '../../fields/currencies';
import { REPORT_ZONE } from '../../fields/kinds/date';
import {
  cardholderOf,
  estimateDueDay,
  IN_REVIEW,
  NEW,
  possibleActions,
  RETRIEVAL,
} from '../../messages/describe-dispute';
import { asText, fullName, readableNumber } from '../../shared/objects';
import { lastDigits } from '../../shared/privacy';
import * as wire from '../../wire/operations';
import { MONTHS } from '../engine/days';
import { day, fitted, money, withPart, words, type Part } from '../engine/line-parts';
import type { Picker } from '../engine/picker';
import { amounts, days, ids, METHOD_WORDS, paymentMethodPart, texts } from './parts';
import { deadlinePart, leftOf, notCapturable, notRefundable, statusPart, timeOf, UNUSABLE } from './refundable';

/** The service lists the newest transactions first (service.md#lists). */
const transactions = {
  operation: wire.getTransactionRequests,
  identity: 'pg_id',
  searched: {
    words: ['cardholder_first_name', 'cardholder_last_name', 'purchase_id', 'merch_ref_num', 'pg_id'],
    amount: 'amt_tran',
    time: { field: 'tran_time', zone: REPORT_ZONE },
    card: 'card_number',
  },
  ownWords: [
    ...['left', 'captured', 'deposit', 'sent', 'deposited', 'settled', 'status', 'id', 'authorized', 'until'],
    ...METHOD_WORDS,
    ...MONTHS,
  ],
  known: (record) => [...ids(record.pg_id, record.auth_code), ...texts(record.merch_ref_num)],
  add: 'whole amount, day, order number or ID',
} satisfies Partial<Picker>;

function shownOf(record: IDataObject, now: DateTime, status: Part[], left?: number): Part[] {
  const time = timeOf(record)?.setZone(now.zone);
  const identifying = [...amountOf(record, left), ...(time ? [day(time, now)] : [])];
  return [
    fitted(words(fullName(record.cardholder_first_name, record.cardholder_last_name)), identifying),
    ...identifying,
    paymentMethodPart(record.card_type, record.card_number),
    ...texts(record.purchase_id),
    ...status,
  ];
}

function amountOf(record: IDataObject, left: number | undefined): Part[] {
  const amount = readableNumber(record.amt_tran);
  if (amount === undefined) return [];
  const whole = money(amount, currencyLetters(asText(record.tran_currency)));
  return [left === undefined || left === amount ? whole : withPart(whole, money(left, 'left'))];
}

/** Omits transactions that the selected operation can't use. */
export const sales: Picker = {
  ...transactions,
  of: 'transactions',
  linked: { by: 'pg_id_linked', to: 'pg_id' },
  shown: (record, view) => {
    if (view.leftOut !== undefined) return shownOf(record, view.now, []);
    const left = view.operation in UNUSABLE ? undefined : leftOf(record, view);
    return shownOf(record, view.now, [statusPart(record)], left);
  },
  leftOut: (record, view) => (UNUSABLE[view.operation] ?? notRefundable)(record, view),
};

/** The list omits captures, because the status of an authorization shows whether it is captured. */
export const authorizations: Picker = {
  ...transactions,
  of: 'authorizations',
  filters: ['request_type,IS,auth'],
  shown: (record, { now, leftOut }) => shownOf(record, now, leftOut === undefined ? [deadlinePart(record, now)] : []),
  leftOut: notCapturable,
};

/** Shows whose payment it is, the order or else the amount, and the reason. */
function namedDispute(dispute: IDataObject, payments: IDataObject[]): Part[] {
  const [order, reason] = [texts(dispute.purchase_id), texts(dispute.reason_desc)];
  const amount = amounts(dispute.amt_dispute, '');
  const name = fitted(words(cardholderOf(dispute, payments)), [...order, ...amount]);
  return asText(dispute.purchase_id) === '' ? [name, ...amount, ...reason] : [name, ...order, ...reason, ...amount];
}

/** The service lists the newest disputes first. Omits disputes that the selected operation can't use. */
export const disputes: Picker = {
  of: 'disputes',
  operation: wire.getDisputes,
  identity: 'rec_id',
  linked: {
    by: 'purchase_id',
    to: 'purchase_id',
    other: { operation: transactions.operation, identity: transactions.identity },
  },
  searched: {
    words: ['reason_desc', 'reason_code', 'purchase_id', 'rec_id'],
    amount: 'amt_dispute',
    card: 'card_number',
  },
  ownWords: ['card', 'due', 'accept', 'or', 'respond', 'wait', 'reset', 'unknown'],
  // The editor can truncate the end of a row, so the parts that identify the dispute come first.
  shown: (dispute, { now, leftOut, linked }) => [
    ...namedDispute(dispute, linked(dispute)),
    ...texts(lastDigits(dispute.card_number) && `card ${lastDigits(dispute.card_number)}`),
    ...days(estimateDueDay(dispute), now, 'due about'),
    ...(leftOut === undefined ? [words(possibleActions(dispute).toLowerCase())] : []),
  ],
  known: (dispute) => [...ids(dispute.rec_id, dispute.cb_ref_num), ...texts(dispute.reason_code)],
  /** An unknown status is not a reason, because the operation may work. */
  leftOut: ({ status, data_type: type }, { operation }) => {
    const isResponse = operation === 'accept' || operation === 'respond';
    if (isResponse && status === IN_REVIEW) return 'under review';
    if (operation === 'accept' && type === RETRIEVAL) return 'retrieval request';
    return operation === 'reset' && status === NEW ? 'new' : undefined;
  },
  add: 'whole amount, reason, order number or ID',
};
