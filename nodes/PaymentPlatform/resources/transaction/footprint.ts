import { REPORT_ZONE, instant } from '../../fields/kinds/date';
import { issuerApprovals } from '../../messages/catalogue/issuer-approvals';
import { inMoney } from '../../messages/what-happened';
import type { FootprintOf, Given, RecordOf, ValuesOf } from '../../model/operation';
import { readableNumber } from '../../model/read-amounts';
import { toCents } from '../../shared/digits';
import { asText } from '../../shared/objects';
import { filterOn } from '../filter-on';

/** Effect of a refund. Before batch close, it is a void or a smaller capture (service.md#refunds). */
export type RefundKind = 'voided' | 'reduced' | 'refunded';

/** Says in one sentence what a refund did. */
export function refunded(kind: RefundKind, amount: string): string {
  if (kind === 'voided') return `Voided the entire sale of ${amount} before settlement.`;
  if (kind === 'reduced') return `Reduced the sale by ${amount} before settlement.`;
  return `Refunded ${amount} to the customer.`;
}

/** Returns the effect of a refund, which only the service's message shows. */
export const kindOf = (rmsg: string): RefundKind =>
  /void/i.test(rmsg) ? 'voided' : /reduc/i.test(rmsg) ? 'reduced' : 'refunded';

/** Record of the transaction report (openapi.yaml#TransactionRequestRecord). */
export type Reported = Given<RecordOf<'getTransactionRequests'>>;

/**
 * Types that a refund can have in the report. Before batch close, it is a void or a smaller capture
 * (service.md#refunds).
 */
export const REFUND_TYPES = new Set(['refund', 'void', 'capture']);

/** Codes after which money moved or may have moved: approvals, and the gateway's timeout and internal error. */
const MAY_HAVE_MOVED = new Set([...issuerApprovals.flatMap(({ codes }) => codes), '998', '999']);

/** Returns whether the record's attempt moved nothing. Without a code, that is unknown. */
export const wasRefused = ({ rcode }: Reported) => {
  const code = asText(rcode).trim();
  return code !== '' && !MAY_HAVE_MOVED.has(code.padStart(3, '0'));
};

/**
 * Returns whether a record can be a refund of the same transaction and amount, which may have a minus sign. An
 * unreadable amount proves nothing, so the record counts.
 */
export function mayBeRefund(record: Reported, { path, body }: Pick<ValuesOf<'refund'>, 'path' | 'body'>): boolean {
  const amount = readableNumber(record.amt_tran);
  const isSame = amount === undefined || Math.abs(amount) === body.amt_tran;
  return (
    isSame &&
    !wasRefused(record) &&
    REFUND_TYPES.has(asText(record.request_type).toLowerCase()) &&
    // If the record doesn't name its sale, the filter of the list ensures it.
    ['', asText(path.pgIdOrig)].includes(asText(record.pg_id_linked))
  );
}

/** Letters of records that moved nothing, or whose outcome is open (service.md#letters). */
const NOT_APPLIED = new Set(['D', 'F', 'R', 'K', 'H']);
/** Effect of each record type on the sale (service.md#refunds). */
const KINDS: Record<string, RefundKind> = { void: 'voided', capture: 'reduced' };

const cents = (value: unknown): number | undefined => {
  const amount = readableNumber(value);
  return amount === undefined ? undefined : Math.abs(toCents(amount));
};

/** Refund in the transaction report. The sale and the amount must match, and the record must be approved. */
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
  isCheckedInTools: true,
  time: ({ tran_time: time }) => instant(time, REPORT_ZONE),
  summary: ({ request_type: type }, { body }) =>
    refunded(KINDS[asText(type).toLowerCase()] ?? 'refunded', inMoney(body.amt_tran)),
  where: 'the transaction report',
  agreement: 'same transaction, same amount',
};
