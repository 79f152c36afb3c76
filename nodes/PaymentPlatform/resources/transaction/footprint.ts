import { instant, REPORT_ZONE } from '../../fields/kinds/date';
import { readableNumber } from '../../model/read-amounts';
import { inMoney } from '../../messages/what-happened';
import type { FootprintOf } from '../../model/operation';
import { toCents } from '../../shared/cents';
import { asText } from '../../shared/objects';
import { filterOn } from '../filter-on';
import { mayBeRefund, REFUND_TYPES } from './duplicates';
import { refunded, type RefundKind } from './refunded';

/** Letters of a record that moved nothing, or whose outcome is open (service.md#letters). */
const NOT_APPLIED = new Set(['D', 'F', 'R', 'K', 'H']);
/** What a record of each type did to the sale (service.md#refunds). */
const KINDS: Record<string, RefundKind> = { void: 'voided', capture: 'reduced' };

const cents = (value: unknown): number | undefined => {
  const amount = readableNumber(value);
  return amount === undefined ? undefined : Math.abs(toCents(amount));
};

/** A refund in the transaction report: the sale and the amount have to agree, and the record says that it was approved. */
export const refundFootprint: FootprintOf<'refund', 'getTransactionRequests'> = {
  list: { path: '/platform/reporting/transaction-requests', identity: 'pg_id', newestBy: 'tran_time' },
  filter: ({ path }) => filterOn('pg_id_linked', path.pgIdOrig),
  isIdentifiable: ({ path, body }) => asText(path.pgIdOrig) !== '' && cents(body.amt_tran) !== undefined,
  key: ({ path, body }) => `${asText(path.pgIdOrig)} ${cents(body.amt_tran)}`,
  lifetime: () => 'day',
  matches: (record, { path, body }) =>
    asText(record.pg_id_linked) === asText(path.pgIdOrig) &&
    cents(record.amt_tran) === cents(body.amt_tran) &&
    REFUND_TYPES.has(asText(record.request_type).toLowerCase()) &&
    asText(record.rcode) === '000' &&
    !NOT_APPLIED.has(asText(record.tran_status).trim()),
  mayMatch: mayBeRefund,
  hasDuplicateCheck: true,
  time: ({ tran_time: time }) => instant(time, REPORT_ZONE),
  summary: ({ request_type: type }, { body }) =>
    refunded(KINDS[asText(type).toLowerCase()] ?? 'refunded', inMoney(body.amt_tran)),
  where: 'the transaction report',
  agreement: 'same transaction, same amount',
};
