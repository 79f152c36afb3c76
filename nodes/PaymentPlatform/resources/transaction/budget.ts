import type { IDataObject } from 'n8n-workflow';

import { readableNumber } from '../../model/read-amounts';
import type { DayBudget } from '../../model/day-budget';
import { asText } from '../../shared/objects';
import { REFUND_TYPES, TOOK_MONEY, wasRefused } from './footprint';

/** Status codes of records that moved nothing (service.md#letters). Held amounts may still move. */
const WITHOUT_EFFECT = ['D', 'F', 'R', 'K'];
/** Status codes of records that aren't refunds: a reversed refund, and a capture that took money. */
const NOT_GIVEN: Record<string, readonly string[]> = {
  refund: ['V', 'v'],
  credit: ['V', 'v'],
  capture: TOOK_MONEY,
};

const CREDIT = 'credit';

/** Returns whether a record returned or paid out money, or may have done so. */
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

/** Money that was returned on a day, from the transaction report: refunds, voids, smaller captures and credits. */
export const refundBudget: DayBudget = {
  list: REPORT,
  counts: gaveBack,
  amount,
  id: 'pg_id',
  of: 'refunds, voids and credits',
  where: 'the transaction report',
};

/** Returns a budget for records of these types that took or held money, from the transaction report. */
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
 * Money that was charged or authorized on a day. A capture is not counted, because its authorization is already
 * counted.
 */
export const chargeBudget = takenBudget(['sale', 'auth', 'force', 'recharge'], 'charges and authorizations');

/** Money that was captured on a day. The authorizations of the same day have their own budget. */
export const captureBudget = takenBudget(['capture'], 'captures');
