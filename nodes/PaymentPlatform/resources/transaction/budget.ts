import type { IDataObject } from 'n8n-workflow';

import { readableNumber } from '../../model/read-amounts';
import type { DayBudget } from '../../model/day-budget';
import { asText } from '../../shared/objects';
import { REFUND_TYPES, TOOK_MONEY, wasRefused } from './footprint';

/** Status codes of transactions that moved no money (service.md#letters). Held transactions may still move money. */
const WITHOUT_EFFECT = ['D', 'F', 'R', 'K'];
/**
 * Status codes of records that returned no money, by record type. The codes belong to voided refunds and to captures
 * that took money.
 */
const NOT_GIVEN: Record<string, readonly string[]> = {
  refund: ['V', 'v'],
  credit: ['V', 'v'],
  capture: TOOK_MONEY,
};

const CREDIT = 'credit';

/** Returns whether a record returned or paid out money, or may have returned or paid out money. */
function gaveBack(record: IDataObject): boolean {
  const type = asText(record.request_type).toLowerCase();
  const letter = asText(record.tran_status).trim();
  return (
    (type === CREDIT || REFUND_TYPES.has(type)) &&
    !wasRefused(record) &&
    ![...WITHOUT_EFFECT, ...(NOT_GIVEN[type] ?? [])].includes(letter)
  );
}

const REPORT: DayBudget['list'] = {
  path: '/platform/reporting/transaction-requests',
  identity: 'rec_id',
  day: ['tran_time', 'tran_date'],
};

const amount: DayBudget['amount'] = ({ amt_tran: shown }) => {
  const number = readableNumber(shown);
  return number === undefined ? undefined : Math.abs(number);
};

/**
 * Budget for money returned on a day, based on the transaction report. The budget includes refunds, voids, captures
 * that reduced a sale, and credits.
 */
export const refundBudget: DayBudget = {
  list: REPORT,
  counts: gaveBack,
  amount,
  id: 'pg_id',
  of: 'refunds, voids and credits',
  where: 'the transaction report',
};

/**
 * Returns a budget for money that was charged or held on a day, based on the transaction report.
 * @param types types of the records to count.
 */
function takenBudget(types: readonly string[], of: string): DayBudget {
  return {
    list: REPORT,
    counts: (record) =>
      types.includes(asText(record.request_type).toLowerCase()) &&
      !wasRefused(record) &&
      ![...WITHOUT_EFFECT, 'V', 'v'].includes(asText(record.tran_status).trim()),
    amount,
    id: 'pg_id',
    of,
    where: 'the transaction report',
  };
}

/**
 * Budget for money charged or authorized on a day. The budget excludes captures, because the budget already includes
 * their authorizations.
 */
export const chargeBudget = takenBudget(['sale', 'auth', 'force', 'recharge'], 'charges and authorizations');

/** Budget for money captured on a day. Authorizations have a separate budget. */
export const captureBudget = takenBudget(['capture'], 'captures');
