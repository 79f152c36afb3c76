import type { IDataObject } from 'n8n-workflow';

import { readableNumber } from '../../model/read-amounts';
import type { DayBudget } from '../../model/day-budget';
import { asText } from '../../shared/objects';
import { REFUND_TYPES, wasRefused } from './footprint';

/** Letters of records that moved nothing (service.md#letters). Held amounts may still move. */
const WITHOUT_EFFECT = ['D', 'F', 'R', 'K'];
/** Letters of records that aren't refunds: a reversed refund, and a capture that took money. */
const NOT_GIVEN: Record<string, readonly string[]> = {
  refund: ['V', 'v'],
  capture: ['A', 'C', 'S', 'P', 'N'],
};

/** Returns whether a record returned money, or may have. */
function gaveBack(record: IDataObject): boolean {
  const type = asText(record.request_type).toLowerCase();
  const letter = asText(record.tran_status).trim();
  return (
    REFUND_TYPES.has(type) && !wasRefused(record) && ![...WITHOUT_EFFECT, ...(NOT_GIVEN[type] ?? [])].includes(letter)
  );
}

/** Money that was refunded on a day, from the transaction report: refunds, voids and smaller captures. */
export const refundBudget: DayBudget = {
  list: { path: '/platform/reporting/transaction-requests', identity: 'rec_id', day: ['tran_time', 'tran_date'] },
  counts: gaveBack,
  amount: ({ amt_tran: amount }) => {
    const number = readableNumber(amount);
    return number === undefined ? undefined : Math.abs(number);
  },
  id: 'pg_id',
  of: 'refunds and voids',
  where: 'the transaction report',
};
