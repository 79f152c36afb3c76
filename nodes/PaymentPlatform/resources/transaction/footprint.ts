import { REPORT_ZONE, instant } from '../../fields/kinds/date';
import { issuerApprovals } from '../../messages/catalogue/issuer-approvals';
import { inMoney } from '../../messages/what-happened';
import type { FootprintOf, Given, RecordOf, ValuesOf } from '../../model/operation';
import { readableNumber } from '../../model/read-amounts';
import { toCents } from '../../shared/digits';
import { asText } from '../../shared/objects';
import { filterOn } from '../filter-on';

/** What a refund does: before batch close it is a void or a smaller capture (service.md#refunds). */
export type RefundKind = 'voided' | 'reduced' | 'refunded';

/** Says in one sentence what a refund did. */
export function refunded(kind: RefundKind, amount: string): string {
  if (kind === 'voided') return `Voided the entire sale of ${amount} before settlement.`;
  if (kind === 'reduced') return `Reduced the sale by ${amount} before settlement.`;
  return `Refunded ${amount} to the customer.`;
}

/** Which of the three it was, only the service's words tell. */
export const kindOf = (rmsg: string): RefundKind =>
  /void/i.test(rmsg) ? 'voided' : /reduc/i.test(rmsg) ? 'reduced' : 'refunded';

/** A record of the transaction report (openapi.yaml#TransactionRequestRecord). */
export type Reported = Given<RecordOf<'getTransactionRequests'>>;

/**
 * What a refund leaves in the report: before batch close it is a void or a smaller capture (service.md#refunds).
 */
export const REFUND_TYPES = new Set(['refund', 'void', 'capture']);

/** Answers after which money moved, or may have: approvals, and the gateway's timeout and internal error. */
const MAY_HAVE_MOVED = new Set([...issuerApprovals.flatMap(({ codes }) => codes), '998', '999']);

/** Whether a record is of a try that moved nothing. Without a code nobody can say so. */
export const wasRefused = ({ rcode }: Reported) => {
  const code = asText(rcode).trim();
  return code !== '' && !MAY_HAVE_MOVED.has(code.padStart(3, '0'));
};

/**
 * Whether a record may be of a refund of the same transaction over the same amount, which may carry a minus. An amount that
 * can't be read proves nothing, so the record counts.
 */
export function mayBeRefund(record: Reported, { path, body }: Pick<ValuesOf<'refund'>, 'path' | 'body'>): boolean {
  const amount = readableNumber(record.amt_tran);
  const isSame = amount === undefined || Math.abs(amount) === body.amt_tran;
  return (
    isSame &&
    !wasRefused(record) &&
    REFUND_TYPES.has(asText(record.request_type).toLowerCase()) &&
    // Where the record does not say of which sale it is, the filter of the list does.
    ['', asText(path.pgIdOrig)].includes(asText(record.pg_id_linked))
  );
}

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
