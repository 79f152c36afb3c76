import { REPORT_ZONE, instant } from '../../fields/kinds/date';
import { issuerApprovals } from '../../messages/catalogue/issuer-approvals';
import { inMoneyOf } from '../../messages/what-happened';
import type { FootprintOf, Given, RecordOf, ValuesOf } from '../../model/operation';
import { readableNumber, centsOf, isSameAmount } from '../../model/read-amounts';
import { asText } from '../../shared/objects';
import { filterOn } from '../filter-on';
import { whileVoidable } from './still-possible';

/**
 * Effect of a refund on the sale. Before the batch closes, a refund becomes a void or a lower capture
 * (service.md#refunds).
 */
export type RefundKind = 'voided' | 'reduced' | 'refunded';

/** Returns the summary of a refund. Only records of the report contain the currency. */
export function refunded(kind: RefundKind, amount: unknown, record: object): string {
  const refund = `Refunded ${inMoneyOf(amount, record, ' in the currency of the sale')}`;
  if (kind === 'voided') return `${refund} by voiding the sale before settlement.`;
  if (kind === 'reduced') return `${refund} by reducing the sale before settlement.`;
  return `${refund} to the customer.`;
}

/** Returns the effect of a refund. Only the service's message contains the effect. */
export const kindOf = (rmsg: string): RefundKind =>
  /void/i.test(rmsg) ? 'voided' : /reduc/i.test(rmsg) ? 'reduced' : 'refunded';

/** Returns whether a refund voided the sale, based on a response or a record of the report. */
export const isVoid = (record: { rmsg?: unknown; request_type?: unknown }): boolean =>
  kindOf(asText(record.rmsg)) === 'voided' || asText(record.request_type).toLowerCase() === 'void';

/** Record of the transaction report (openapi.yaml#TransactionRequestRecord). */
export type Reported = Given<RecordOf<'getTransactionRequests'>>;

/**
 * Record types of refunds in the report. Before the batch closes, a refund becomes a void or a lower capture
 * (service.md#refunds).
 */
export const REFUND_TYPES = new Set(['refund', 'void', 'capture']);

/**
 * Codes of transactions that moved money or may have moved money. The codes include approvals and the gateway's codes
 * for a timeout and an internal error.
 */
const MAY_HAVE_MOVED = new Set([...issuerApprovals.flatMap(({ codes }) => codes), '998', '999']);

/**
 * Returns whether the record's code proves that the transaction moved no money. Returns false if the record has no
 * code.
 */
export const wasRefused = ({ rcode }: Reported) => {
  const code = asText(rcode).trim();
  return code !== '' && !MAY_HAVE_MOVED.has(code.padStart(3, '0'));
};

/**
 * Returns whether a record may be a refund with the transaction and the amount of the request. Some records contain a
 * negative amount. A record without a valid amount may be the refund.
 */
export function mayBeRefund(record: Reported, { path, body }: Pick<ValuesOf<'refund'>, 'path' | 'body'>): boolean {
  const amount = readableNumber(record.amt_tran);
  const isSame = amount === undefined || Math.abs(amount) === body.amt_tran;
  return (
    isSame &&
    !wasRefused(record) &&
    REFUND_TYPES.has(asText(record.request_type).toLowerCase()) &&
    // If the record contains no linked transaction, the filter of the list ensures that the record belongs to the sale.
    ['', asText(path.pgIdOrig)].includes(asText(record.pg_id_linked))
  );
}

/** Status codes of transactions that moved no money or whose outcome is unknown (service.md#letters). */
const NOT_APPLIED = new Set(['D', 'F', 'R', 'K', 'H']);
/** Effects of a refund on the sale, by record type (service.md#refunds). */
const KINDS: Record<string, RefundKind> = { void: 'voided', capture: 'reduced' };
const CAPTURE = 'capture';
const VOID = 'void';

/** Status codes of captures that took money. Captures with these codes aren't refunds that reduced a sale. */
export const TOOK_MONEY: readonly string[] = ['A', 'C', 'S', 'P', 'N'];

const typeOf = ({ request_type: type }: Reported) => asText(type).toLowerCase();
const letterOf = ({ tran_status: letter }: Reported) => asText(letter).trim();

/** Amount that the record of a write must contain. A record without a valid amount matches any amount. */
export const SAME_AMOUNT = {
  shown: ({ amt_tran: shown }: Reported) => centsOf(shown),
  asked: ({ body }: { body: { amt_tran?: unknown } }) => centsOf(body.amt_tran),
};

/**
 * Properties for finding the changes of a transaction in the transaction report. The record of a change contains the ID
 * of the transaction.
 */
export const LINKED = {
  list: { path: '/platform/reporting/transaction-requests', identity: 'pg_id', newestBy: 'tran_time' },
  filter: ({ path }) => filterOn('pg_id_linked', path.pgIdOrig),
  mayLackFilter: (record: Reported) => REFUND_TYPES.has(typeOf(record)),
  isCheckedInTools: true,
  time: ({ tran_time: time }) => instant(time, REPORT_ZONE),
  where: 'the transaction report',
} satisfies Partial<FootprintOf<'refund', 'getTransactionRequests'>>;

/** Returns whether a record is an approved change of the request's transaction. */
const isApplied = (record: Reported, { path }: Pick<ValuesOf<'refund'>, 'path'>): boolean =>
  asText(record.pg_id_linked) === asText(path.pgIdOrig) &&
  asText(record.rcode) === '000' &&
  !NOT_APPLIED.has(letterOf(record));

/**
 * Returns whether a record may be a change of the specified type. If the record contains no linked transaction, the
 * filter of the list ensures that the record belongs to the transaction.
 */
const mayBeOf = (type: string, record: Reported, { path }: Pick<ValuesOf<'refund'>, 'path'>): boolean =>
  typeOf(record) === type && !wasRefused(record) && ['', asText(path.pgIdOrig)].includes(asText(record.pg_id_linked));

/** Finds a refund in the transaction report. The sale and the amount must match, and the record must be approved. */
export const refundFootprint: FootprintOf<'refund', 'getTransactionRequests'> = {
  ...LINKED,
  cents: SAME_AMOUNT,
  isIdentifiable: ({ path, body }) => asText(path.pgIdOrig) !== '' && centsOf(body.amt_tran) !== undefined,
  key: ({ path, body }) => `${asText(path.pgIdOrig)} ${centsOf(body.amt_tran)}`,
  lifetime: () => 'day',
  matches: (record, values) =>
    isApplied(record, values) &&
    isSameAmount(record.amt_tran, values.body.amt_tran) &&
    REFUND_TYPES.has(typeOf(record)) &&
    !(typeOf(record) === CAPTURE && TOOK_MONEY.includes(letterOf(record))),
  mayMatch: mayBeRefund,
  summary: (record, { body }) =>
    refunded(KINDS[asText(record.request_type).toLowerCase()] ?? 'refunded', body.amt_tran, record),
  agreement: 'same transaction, same amount',
};

/** Returns the summary of a capture, including the possible next action. */
export const captured = (amount: unknown, record: Pick<Reported, 'tran_status' | 'tran_time'>): string =>
  `Captured ${inMoneyOf(amount, record, ' in the currency')} of the authorization${whileVoidable(record, VOIDABLE)}.`;

/** End of the summary for a captured payment. */
export const VOIDABLE = ', voidable until the batch closes';

/**
 * Finds a capture in the transaction report. A user can capture an authorization once, so the amount only distinguishes
 * items with different amounts. A refund that reduced the capture has a different status.
 */
export const captureFootprint: FootprintOf<'capture', 'getTransactionRequests'> = {
  ...LINKED,
  cents: SAME_AMOUNT,
  isIdentifiable: ({ path, body }) => asText(path.pgIdOrig) !== '' && centsOf(body.amt_tran) !== undefined,
  key: ({ path, body }) => `${asText(path.pgIdOrig)} ${centsOf(body.amt_tran)}`,
  lifetime: () => 'always',
  matches: (record, values) =>
    isApplied(record, values) &&
    typeOf(record) === CAPTURE &&
    isSameAmount(record.amt_tran, values.body.amt_tran) &&
    TOOK_MONEY.includes(letterOf(record)),
  mayMatch: (record, values) =>
    mayBeOf(CAPTURE, record, values) &&
    (centsOf(record.amt_tran) === undefined || isSameAmount(record.amt_tran, values.body.amt_tran)),
  summary: (record, { body }) => captured(body.amt_tran, record),
  agreement: 'same authorization, same amount',
};

/** Finds a void in the transaction report. A user can void a transaction once, so the amount doesn't need to match. */
export const voidFootprint: FootprintOf<'voidTransaction', 'getTransactionRequests'> = {
  ...LINKED,
  isIdentifiable: ({ path }) => asText(path.pgIdOrig) !== '',
  key: ({ path }) => asText(path.pgIdOrig),
  lifetime: () => 'always',
  matches: (record, values) => isApplied(record, values) && typeOf(record) === VOID,
  mayMatch: (record, values) => mayBeOf(VOID, record, values),
  agreement: 'same transaction, voided',
};
