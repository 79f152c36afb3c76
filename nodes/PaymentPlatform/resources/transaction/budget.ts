import type { IDataObject } from 'n8n-workflow';

import { readableNumber } from '../../model/read-amounts';
import type { DayBudget } from '../../model/day-budget';
import { asText } from '../../shared/objects';
import { REFUND_TYPES, TOOK_MONEY, wasRefused } from './footprint';

/** Status codes of transactions that moved no money (service.md#letters). Held transactions may still move money. */
const WITHOUT_EFFECT = ['D', 'F', 'R', 'K'];
/** Refunds, credits and captures with these status codes returned no money. */
const NOT_GIVEN: Record<string, readonly string[]> = {
  refund: ['V', 'v'],
  credit: ['V', 'v'],
  capture: TOOK_MONEY,
};

const CREDIT = 'credit';

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

/** Money returned on a given day: refunds, voids, captures that reduced a sale, and credits. */
export const refundBudget: DayBudget = {
  list: REPORT,
  counts: gaveBack,
  amount,
  id: 'pg_id',
  of: 'refunds, voids and credits',
  where: 'the transaction report',
};

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

/** Money charged or authorized on a given day. Captures don't count, because their authorizations do. */
export const chargeBudget = takenBudget(['sale', 'auth', 'force', 'recharge'], 'charges and authorizations');

export const captureBudget = takenBudget(['capture'], 'captures');
