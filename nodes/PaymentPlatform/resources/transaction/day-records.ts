import type { IDataObject } from 'n8n-workflow';

import { amountWithFees } from '../../model/read-amounts';
import type { DayRecords } from '../../model/day-records';
import { REFUND_TYPES, TOOK_MONEY } from './footprint';
import { letterOf, typeOf, wasRefused } from './report-record';

/** Status codes of transactions that moved no money (service.md#letters). Held transactions may still move money. */
const WITHOUT_EFFECT = ['D', 'F', 'R', 'K'];
const VOIDED = ['V', 'v'];
const HELD = 'H';
const MOVES_NOTHING = ['auth', 'void', 'verify'];

const CREDIT = 'credit';

/** A transaction without a type can be of any type, so it counts. */
const isOf = (record: IDataObject, types: readonly string[]): boolean => ['', ...types].includes(typeOf(record));

const hasEffect = (record: IDataObject, without: readonly string[]): boolean =>
  !wasRefused(record) && ![...WITHOUT_EFFECT, ...without].includes(letterOf(record));

/** Other captures only reduced a sale. */
const tookMoney = (record: IDataObject): boolean =>
  typeOf(record) === 'capture' && TOOK_MONEY.includes(letterOf(record));

const isReturn = (record: IDataObject): boolean => isOf(record, [CREDIT, ...REFUND_TYPES]) && !tookMoney(record);

/** A void and a reduced capture have the status code of a voided transaction. */
const gaveBack = (record: IDataObject): boolean =>
  isReturn(record) && hasEffect(record, [CREDIT, 'refund'].includes(typeOf(record)) ? VOIDED : []);

/**
 * Returns whether a transaction moved money that no other transaction of the report shows. An authorization moves money
 * with its capture. A void shows in the status of the sale. A voided capture reduced a sale (service.md#refunds).
 */
export function movedMoney(record: IDataObject): boolean {
  const type = typeOf(record);
  return !MOVES_NOTHING.includes(type) && hasEffect(record, type === 'capture' ? [HELD] : [...VOIDED, HELD]);
}

const REPORT: DayRecords['list'] = {
  path: '/platform/reporting/transaction-requests',
  identity: 'rec_id',
  day: ['tran_time', 'tran_date'],
};

/** Money returned on a given day: refunds, voids, captures that reduced a sale, and credits. */
export const dayRefunds: DayRecords = {
  list: REPORT,
  isOfKind: isReturn,
  counts: gaveBack,
  amount: amountWithFees,
  id: 'pg_id',
  of: 'refunds, voids and credits',
  where: 'the transaction report',
};

function dayTransactions(types: readonly string[], of: string): DayRecords {
  return {
    list: REPORT,
    isOfKind: (record) => isOf(record, types),
    counts: (record) => isOf(record, types) && hasEffect(record, VOIDED),
    amount: amountWithFees,
    id: 'pg_id',
    of,
    where: 'the transaction report',
  };
}

/** Money charged or authorized on a given day. Captures don't count, because their authorizations do. */
export const dayCharges = dayTransactions(['sale', 'auth', 'force', 'recharge'], 'charges and authorizations');

export const dayCaptures = dayTransactions(['capture'], 'captures');
