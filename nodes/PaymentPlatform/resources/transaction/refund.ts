import type { IDataObject } from 'n8n-workflow';

import { gatewayFields } from '../../fields/common';
import { choice } from '../../fields/kinds/choice';
import { amount } from '../../fields/kinds/number';
import { when } from '../../fields/kinds/when';
import { isEmpty } from '../../fields/value';
import { operation } from '../../model/operation';
import type { AmountLeft, EarlyValue, ReferenceSearch } from '../../model/types';
import { comparableText, only } from '../../shared/objects';
import { dayRefunds } from './day-records';
import { letterOf } from './report-record';
import { afterCapture, afterVoid, AFTER_VOID } from './still-possible';
import { ALL_LEFT, presentRefund, REFUND_AMOUNT, refundFootprint, refundSummary } from './footprint';
import { byReference, lookAtTransaction, mayBePayment, transactionField } from './find-transaction';
import * as wire from '../../wire/operations';

const howMuch = choice({
  name: REFUND_AMOUNT,
  place: 'node',
  label: 'Refund',
  description: 'Whether to refund an amount that you enter, or the amount that is left after earlier refunds',
  options: [
    { name: 'An Amount', value: 'amount' },
    {
      name: 'All That Is Left',
      value: ALL_LEFT,
      description: 'The node reads the payment and refunds the remaining amount',
    },
  ],
});

/** Status codes of voided payments (service.md#letters). */
const VOIDED: ReadonlySet<string> = new Set(['V', 'v']);

/** An unreadable flag counts as a dispute. */
const isDisputed = ({ dispute_flag: flag }: IDataObject): boolean =>
  flag !== undefined &&
  flag !== null &&
  !['', 'false', '0', 'n', 'no'].includes(JSON.stringify(flag).toLowerCase().replaceAll('"', ''));

/** A payment whose record lacks an amount could already be refunded. */
function leftOf(records: IDataObject[]): AmountLeft | undefined {
  const [payment = {}] = records;
  const { amt_refundable: left } = VOIDED.has(letterOf(payment))
    ? afterVoid({})
    : isClear(records)
      ? afterCapture(payment, payment.amt_tran)
      : {};
  return typeof left === 'number' && !isDisputed(payment)
    ? { amt_refundable: left, ...only(payment, ['tran_currency']) }
    : undefined;
}

function amountLeft(records: IDataObject[]): EarlyValue {
  const [payment] = records;
  if (!payment) return { allowed: "can't be calculated, because no transaction has this ID" };
  if (isDisputed(payment))
    return {
      allowed: 'must be an amount, because the customer disputes the payment and may already have the money back',
    };
  const left = leftOf(records);
  if (!left) return { allowed: 'must be an amount, because the record does not show what is left' };
  const { amt_refundable: value } = left;
  return value > 0 ? { value, left } : { allowed: 'has no effect, because nothing is left to refund' };
}

/** A refund's record can look like a payment with a negative amount. */
const isClear = ([payment = {}, ...others]: IDataObject[]): boolean =>
  others.length === 0 &&
  comparableText(payment.pg_id) !== '' &&
  letterOf(payment) !== '' &&
  mayBePayment(payment) &&
  !(Number(payment.amt_tran) < 0);

/** The records of the search also show what is left. */
const choose: ReferenceSearch['choose'] = (records, reference) => {
  const found = byReference.choose(records, reference);
  if (!('value' in found)) return found;
  const own = records.filter(({ pg_id: id }) => comparableText(id) === found.value);
  const left = leftOf([...new Map(own.map((record) => [JSON.stringify(record), record])).values()]);
  return left ? { ...found, left } : found;
};

export const refund = operation({
  value: 'refund',
  name: 'Refund',
  action: 'Refund or void transaction',
  description: 'Return all or part of a captured payment to the customer',
  moneyEffect: 'The refund takes effect immediately.',
  request: wire.refund.request,
  byReference: { ...byReference, choose },
  fields: [
    transactionField(wire.refund.path.pgIdOrig, 'Transaction to refund'),
    howMuch,
    when(
      howMuch,
      [ALL_LEFT],
      amount({
        ...wire.refund.body.amt_tran,
        label: 'Amount',
        description:
          'Amount to refund, e.g. 12.50. Total refunds can\'t exceed the captured amount. Before the daily batch closes, a full refund voids the sale and a partial refund reduces the charge. Later, you can refund the sale only when its status is "Deposit Sent".',
        hint: 'In Production, a refund moves money immediately',
        required: true,
      }),
      { except: true, required: true },
    ),
  ],
  additional: gatewayFields(wire.refund.body),
  amountToRead: {
    field: wire.refund.body.amt_tran.name,
    by: howMuch,
    choice: ALL_LEFT,
    read: ({ path: { pgIdOrig } }) =>
      isEmpty(pgIdOrig) ? undefined : { looks: [lookAtTransaction(pgIdOrig)], choose: amountLeft },
  },
  present: presentRefund,
  adds: AFTER_VOID,
  summary: refundSummary,
  refusals: [
    {
      pattern: /\bcaptured total\b|\bexceed/i,
      what: 'The refund exceeds the refundable amount of this sale',
      advice: 'The list under "Transaction" shows the refundable amount.',
    },
    {
      pattern: /\bbatch\b|\bdeposit\b/i,
      what: 'The batch that contains this sale is closed, but the deposit has not been sent yet',
      advice: 'Refund the sale when its status is "Deposit Sent".',
    },
    {
      pattern: /\balready voided\b/i,
      what: 'This sale is already voided',
      advice: "A voided sale can't be refunded.",
    },
  ],
  needsSupport: 'Support must enable refunds for vendor accounts.',
  footprint: refundFootprint,
  dayRecords: dayRefunds,
  target: 'pgIdOrig',
  lookUp:
    'Look in Report > Get Many Transactions for a record whose pg_id_linked is {pgIdOrig}[ and whose amount is {amt_tran}].',
});
