import { REPORT_ZONE, instant } from '../../fields/kinds/date';
import { issuerApprovals } from '../../messages/catalogue/issuer-approvals';
import { inMoneyOf } from '../../messages/what-happened';
import { GATEWAY_UNKNOWN } from '../../model/failure';
import type { FootprintOf, Given, RecordOf, ValuesOf } from '../../model/operation';
import { readableNumber, centsOf, isSameAmount } from '../../model/read-amounts';
import { asText } from '../../shared/objects';
import { filterOn } from '../filter-on';
import { whileVoidable } from './still-possible';

/** Before batch close, a refund becomes a void or a reduced capture (service.md#refunds). */
export type RefundKind = 'voided' | 'reduced' | 'refunded';

/** Summarizes a refund. Only the transaction report contains the currency. */
export function refunded(kind: RefundKind, amount: unknown, record: object): string {
  const refund = `Refunded ${inMoneyOf(amount, record, ' in the currency of the sale')}`;
  if (kind === 'voided') return `${refund} by voiding the sale before settlement.`;
  if (kind === 'reduced') return `${refund} by reducing the sale before settlement.`;
  return `${refund} to the customer.`;
}

/** Returns the effect of a refund, which only the service's message contains. */
export const kindOf = (rmsg: string): RefundKind =>
  /void/i.test(rmsg) ? 'voided' : /reduc/i.test(rmsg) ? 'reduced' : 'refunded';

/** Returns whether a refund voided the sale. Accepts a response or a transaction from the report. */
export const isVoid = (record: { rmsg?: unknown; request_type?: unknown }): boolean =>
  kindOf(asText(record.rmsg)) === 'voided' || asText(record.request_type).toLowerCase() === 'void';

/** Transaction in the report (openapi.yaml#TransactionRequestRecord). */
export type Reported = Given<RecordOf<'getTransactionRequests'>>;

/** Before batch close, a refund becomes a void or a reduced capture (service.md#refunds). */
export const REFUND_TYPES = new Set(['refund', 'void', 'capture']);

/** Codes of transactions that may have moved money, including a timeout and an internal error of the gateway. */
const MAY_HAVE_MOVED = new Set([...issuerApprovals.flatMap(({ codes }) => codes), ...GATEWAY_UNKNOWN]);

/** Returns whether the code proves that the transaction moved no money. */
export const wasRefused = ({ rcode }: Reported) => {
  const code = asText(rcode).trim();
  return code !== '' && !MAY_HAVE_MOVED.has(code.padStart(3, '0'));
};

/** Returns whether a transaction may be the requested refund. Some refunds have a negative amount. */
export function mayBeRefund(record: Reported, { path, body }: Pick<ValuesOf<'refund'>, 'path' | 'body'>): boolean {
  const amount = readableNumber(record.amt_tran);
  const isSame = amount === undefined || Math.abs(amount) === body.amt_tran;
  return (
    isSame &&
    !wasRefused(record) &&
    REFUND_TYPES.has(asText(record.request_type).toLowerCase()) &&
    // The node filters the list by the sale, so a refund without a linked transaction belongs to the sale.
    ['', asText(path.pgIdOrig)].includes(asText(record.pg_id_linked))
  );
}

/** Status codes of transactions that moved no money or whose outcome is unknown (service.md#letters). */
const NOT_APPLIED = new Set(['D', 'F', 'R', 'K', 'H']);
/** Effects of a refund, by transaction type (service.md#refunds). */
const KINDS: Record<string, RefundKind> = { void: 'voided', capture: 'reduced' };
const CAPTURE = 'capture';
const VOID = 'void';

/** Status codes of captures that took money, as opposed to captures that reduced a sale. */
export const TOOK_MONEY: readonly string[] = ['A', 'C', 'S', 'P', 'N'];

const typeOf = ({ request_type: type }: Reported) => asText(type).toLowerCase();
const letterOf = ({ tran_status: letter }: Reported) => asText(letter).trim();

/** A transaction without a valid amount matches any amount. */
export const SAME_AMOUNT = {
  shown: ({ amt_tran: shown }: Reported) => centsOf(shown),
  asked: ({ body }: { body: { amt_tran?: unknown } }) => centsOf(body.amt_tran),
};

/** The transaction report links each refund, capture or void to its transaction by ID. */
export const LINKED = {
  list: { path: '/platform/reporting/transaction-requests', identity: 'pg_id', newestBy: 'tran_time' },
  filter: ({ path }) => filterOn('pg_id_linked', path.pgIdOrig),
  mayLackFilter: (record: Reported) => REFUND_TYPES.has(typeOf(record)),
  isCheckedInTools: true,
  time: ({ tran_time: time }) => instant(time, REPORT_ZONE),
  where: 'the transaction report',
} satisfies Partial<FootprintOf<'refund', 'getTransactionRequests'>>;

const isApplied = (record: Reported, { path }: Pick<ValuesOf<'refund'>, 'path'>): boolean =>
  asText(record.pg_id_linked) === asText(path.pgIdOrig) &&
  asText(record.rcode) === '000' &&
  !NOT_APPLIED.has(letterOf(record));

/**
 * The node filters the list by transaction, so a record without a linked transaction belongs to the requested
 * transaction.
 */
const mayBeOf = (type: string, record: Reported, { path }: Pick<ValuesOf<'refund'>, 'path'>): boolean =>
  typeOf(record) === type && !wasRefused(record) && ['', asText(path.pgIdOrig)].includes(asText(record.pg_id_linked));

/** After a lost response, finds the refund in the transaction report by its sale and amount. */
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

/** Summarizes a capture, with the possible next action. */
export const captured = (amount: unknown, record: Pick<Reported, 'tran_status' | 'tran_time'>): string =>
  `Captured ${inMoneyOf(amount, record, ' in the currency')} of the authorization${whileVoidable(record, VOIDABLE)}.`;

export const VOIDABLE = ', voidable until the batch closes';

/** After a lost response, finds the capture in the transaction report. An authorization can be captured only once. */
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

/**
 * After a lost response, finds the void in the transaction report. A transaction can be voided only once, so any amount
 * matches.
 */
export const voidFootprint: FootprintOf<'voidTransaction', 'getTransactionRequests'> = {
  ...LINKED,
  isIdentifiable: ({ path }) => asText(path.pgIdOrig) !== '',
  key: ({ path }) => asText(path.pgIdOrig),
  lifetime: () => 'always',
  matches: (record, values) => isApplied(record, values) && typeOf(record) === VOID,
  mayMatch: (record, values) => mayBeOf(VOID, record, values),
  agreement: 'same transaction, voided',
};
