import type { IDataObject } from 'n8n-workflow';

import { exactDecimal } from '../../fields/number';
import { isObject } from '../../pipeline/objects';

/** What tells a payment apart and how it ended (section 2.6). */
const TRANSACTION_FIELDS = ['pg_id', 'status', 'rcode', 'rmsg', 'amt_tran', 'tran_time', 'card_number'];

/**
 * Status of a checkout link at a glance: `paid` and `amt_paid` from the amount and what is left of it, and each
 * transaction by its main fields. Without both amounts nothing is said about payment: a link that saves a payment
 * method has none.
 */
export function status(record: IDataObject): IDataObject {
  const asked = exactDecimal(record.amt_tran, 2);
  const left = exactDecimal(record.amt_balance, 2);
  const amounts =
    asked !== undefined && asked > 0 && left !== undefined
      ? { paid: left <= 0, amt_paid: exactDecimal(asked - left, 2) }
      : {};
  const transactions = [record.transactions].flat().filter(isObject);
  return { ...record, ...amounts, transactions: transactions.map(mainFields) };
}

const mainFields = (transaction: Record<string, unknown>) =>
  Object.fromEntries(
    TRANSACTION_FIELDS.filter((name) => name in transaction).map((name) => [name, transaction[name]]),
  ) as IDataObject;
