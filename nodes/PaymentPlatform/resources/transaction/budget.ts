import type { IDataObject } from 'n8n-workflow';

import { readableNumber } from '../../model/read-amounts';
import type { DayBudget } from '../../model/day-budget';
import { asText } from '../../shared/objects';
import { REFUND_TYPES, wasRefused } from './footprint';

/** Letters of what moved nothing (service.md#letters). What is held may move yet. */
const WITHOUT_EFFECT = ['D', 'F', 'R', 'K'];
/** What is no giving back by its letter: a refund that was taken back, and a capture that took money itself. */
const NOT_GIVEN: Record<string, readonly string[]> = {
  refund: ['V', 'v'],
  capture: ['A', 'C', 'S', 'P', 'N'],
};

/** Whether money was given back, or may have been. */
function gaveBack(record: IDataObject): boolean {
  const type = asText(record.request_type).toLowerCase();
  const letter = asText(record.tran_status).trim();
  return (
    REFUND_TYPES.has(type) && !wasRefused(record) && ![...WITHOUT_EFFECT, ...(NOT_GIVEN[type] ?? [])].includes(letter)
  );
}

/** What was given back on a day, by the transaction report: refunds, voids and smaller captures. */
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
