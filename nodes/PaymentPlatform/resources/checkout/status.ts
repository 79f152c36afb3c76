import type { IDataObject } from 'n8n-workflow';

import { exactDecimal } from '../../fields/kinds/number';
import { inMoney } from '../../messages/what-happened';
import type { Given, RecordOf } from '../../model/operation';
import { asText, objectsIn, only } from '../../shared/objects';
import { isReservation, moneyReceived } from './received';

type Checkout = Given<RecordOf<'getCheckout'>>;

/** What its transactions tell of a link. */
interface Told {
  paid?: boolean;
  amt_paid?: number;
  transactions_text?: string;
}

/** What is shown of a link: fields of its record, and what its transactions tell. */
const SHOWN = [
  'checkout_id',
  'purchase_id',
  'customer_id',
  'paid',
  'amt_tran',
  'amt_paid',
  'amt_balance',
  'tran_currency',
  'expiry_time',
  'transactions_text',
] as const;

/**
 * Status of a checkout link at a glance: `paid` and `amt_paid` from the money that its transactions received, and each
 * transaction in words, also where it only holds the amount. What is left (`amt_balance`) decides nothing, for a mere
 * reservation may change it. A link that asks for no amount is not told to be paid or unpaid, nor one whose transactions do
 * not say.
 */
export function status(record: Checkout) {
  const transactions = objectsIn([record.transactions].flat());
  const told: Told = {
    ...payment(record, transactions.length),
    transactions_text: transactions.map((transaction) => inWords(transaction, record)).join('; '),
  };
  return only({ ...record, ...told }, SHOWN);
}

function payment(record: Checkout, count: number): Told {
  const asked = exactDecimal(record.amt_tran, 2);
  const received = moneyReceived(record);
  if (asked === undefined || asked <= 0 || received === undefined) return {};
  const left = exactDecimal(record.amt_balance, 2);
  // No transaction is listed, yet something changed what is left: the record does not tell what.
  if (count === 0 && left !== undefined && left < asked) return {};
  return { paid: received >= asked, amt_paid: received };
}

/** One transaction for a person: "Approved: sale of 30.30 at 2026-05-04 10:00, pg_id ...". */
function inWords(transaction: IDataObject, link: IDataObject): string {
  const { status, rmsg, request_type, amt_tran, tran_time, pg_id } = transaction;
  const ended = [asText(status) || 'Status unknown', isReservation(transaction, link) ? ' (authorized only)' : ''].join(
    '',
  );
  const reason = asText(status) === 'Declined' && rmsg !== undefined ? ` (${asText(rmsg)})` : '';
  const when = tran_time === undefined ? '' : ` at ${asText(tran_time)}`;
  const id = pg_id === undefined ? '' : `, pg_id ${asText(pg_id)}`;
  return `${ended}${reason}: ${asText(request_type) || 'payment'} of ${inMoney(amt_tran)}${when}${id}`;
}
