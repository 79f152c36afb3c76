import type { IDataObject } from 'n8n-workflow';

import { amountWithFees } from '../../model/read-amounts';
import type { DayRecords } from '../../model/day-records';
import { REFUND_TYPES, TOOK_MONEY } from './footprint';
import { letterOf, typeOf, wasRefused } from './report-record';

/** Status codes of transactions that moved no money (service.md#letters). Held transactions may still move money. */
const WITHOUT_EFFECT = ['D', 'F', 'R', 'K'];
/** Refunds, credits and captures with these status codes returned no money. */
const NOT_GIVEN: Record<string, readonly string[]> = {
  refund: ['V', 'v'],
  credit: ['V', 'v'],
  capture: TOOK_MONEY,
};

const CREDIT = 'credit';

/** A transaction without a type can be of any type, so it counts. */
const isOf = (record: IDataObject, types: readonly string[]): boolean => ['', ...types].includes(typeOf(record));

const gaveBack = (record: IDataObject): boolean =>
  isOf(record, [CREDIT, ...REFUND_TYPES]) &&
  !wasRefused(record) &&
  ![...WITHOUT_EFFECT, ...(NOT_GIVEN[typeOf(record)] ?? [])].includes(letterOf(record));

const REPORT: DayRecords['list'] = {
  path: '/platform/reporting/transaction-requests',
  identity: 'rec_id',
  day: ['tran_time', 'tran_date'],
};

/** Money returned on a given day: refunds, voids, captures that reduced a sale, and credits. */
export const dayRefunds: DayRecords = {
  list: REPORT,
  counts: gaveBack,
  amount: amountWithFees,
  id: 'pg_id',
  of: 'refunds, voids and credits',
  where: 'the transaction report',
};

function dayTransactions(types: readonly string[], of: string): DayRecords {
  return {
    list: REPORT,
    counts: (record) =>
      isOf(record, types) && !wasRefused(record) && ![...WITHOUT_EFFECT, 'V', 'v'].includes(letterOf(record)),
    amount: amountWithFees,
    id: 'pg_id',
    of,
    where: 'the transaction report',
  };
}

/** Money charged or authorized on a given day. Captures don't count, because their authorizations do. */
export const dayCharges = dayTransactions(['sale', 'auth', 'force', 'recharge'], 'charges and authorizations');

export const dayCaptures = dayTransactions(['capture'], 'captures');
