import { inMoneyOf, stillRefundable } from '../../messages/what-happened';
import { likeAmount, likeText, type Likeness } from '../../model/likeness';
import type { FootprintOf, Given, RecordOf, ValuesOf } from '../../model/operation';
import { LEFT } from '../../model/types';
import { asText, centsOf, objectIn, only } from '../../shared/objects';
import { filterOn } from '../filter-on';
import {
  hasKnownStatus,
  IN_REPORT,
  letterOf,
  likeType,
  SAME_AMOUNT,
  typeOf,
  wasRefused,
  type Reported,
} from './report-record';
import { whileVoidable } from './still-possible';

/** Before batch close, a refund becomes a void or a reduced capture (service.md#refunds). */
export type RefundKind = 'voided' | 'reduced' | 'refunded';

/** Only the transaction report contains the currency. */
function refunded(kind: RefundKind, amount: unknown, record: object): string {
  const refund = `Refunded ${inMoneyOf(amount, record, ' in the currency of the sale')}`;
  if (kind === 'voided') return `${refund} by voiding the sale before settlement.`;
  if (kind === 'reduced') return `${refund} by reducing the sale before settlement.`;
  return `${refund} to the customer.`;
}

/** Only the service's message contains the effect of a refund. */
export const kindOf = (rmsg: string): RefundKind =>
  /void/i.test(rmsg) ? 'voided' : /reduc/i.test(rmsg) ? 'reduced' : 'refunded';

/** Accepts a response or a transaction from the report. */
export const isVoid = (record: { rmsg?: unknown; request_type?: unknown }): boolean =>
  kindOf(asText(record.rmsg)) === 'voided' || asText(record.request_type).toLowerCase() === 'void';

type Refund = Given<RecordOf<'refund'>>;

type Refunded = Pick<ValuesOf<'refund'>, 'body' | 'node'>;

export function refundSummary(record: Refund, values: Refunded): string {
  const read = only(objectIn(values.node[LEFT]), ['tran_currency']);
  const [kind, left] = [kindOf(asText(record.rmsg)), leftAfter(record, values)];
  const summary = refunded(kind, values.body.amt_tran, { ...read, ...record });
  return left === undefined || kind === 'voided' ? summary : `${summary} ${stillRefundable(left, read.tran_currency)}`;
}

/** Node setting and its value for a refund of all that is left. */
export const REFUND_AMOUNT = 'refundAmount';
export const ALL_LEFT = 'allLeft';

/**
 * The response doesn't contain earlier refunds of the sale, so the refundable amount is unknown unless the node read the
 * sale before the refund.
 */
function leftAfter(record: Refund, { body, node }: Refunded): number | undefined {
  if (isVoid(record) || node[REFUND_AMOUNT] === ALL_LEFT) return 0;
  const [before, amount] = [centsOf(objectIn(node[LEFT]).amt_refundable), centsOf(body.amt_tran)];
  // A record from the report may belong to an earlier attempt, whose refund the node had already read.
  const isResponse = !('tran_status' in record) && !('request_type' in record);
  return isResponse && before !== undefined && amount !== undefined && before >= amount
    ? (before - amount) / 100
    : undefined;
}

export function presentRefund(record: Refund, values: Refunded) {
  const left = leftAfter(record, values);
  return left === undefined ? record : { ...record, amt_refundable: left };
}

export const REFUND_TYPES = new Set(['refund', 'void', 'capture']);

/** Effects of a refund, by transaction type (service.md#refunds). */
const KINDS: Record<string, RefundKind> = { void: 'voided', capture: 'reduced' };
const CAPTURE = 'capture';
const VOID = 'void';

/** Captures with other status codes only reduced a sale. */
export const TOOK_MONEY: readonly string[] = ['A', 'C', 'S', 'P', 'N'];

/** Status codes of transactions that moved no money or whose outcome is unknown (service.md#letters). */
const NOT_APPLIED = new Set(['D', 'F', 'R', 'K', 'H']);

type Linked = Pick<ValuesOf<'refund'>, 'path'>;

/** The transaction report links each refund, capture or void to its transaction by ID. */
export const LINKED = {
  ...IN_REPORT,
  filter: ({ path }) => filterOn('pg_id_linked', path.pgIdOrig),
  mayLackFilter: (record: Reported) => REFUND_TYPES.has(typeOf(record)),
} satisfies Partial<FootprintOf<'refund', 'getTransactionRequests'>>;

/** The report may lack the linked transaction. */
export const likeLinked = (record: Reported, { path }: Linked): Likeness =>
  likeText(record.pg_id_linked, path.pgIdOrig);

function isApplied(record: Reported): Likeness {
  if (wasRefused(record)) return 'different';
  const isSure = hasKnownStatus(record) && !NOT_APPLIED.has(letterOf(record));
  return asText(record.rcode) === '000' && isSure ? 'equal' : 'notShown';
}

/** A voided refund returned no money. */
const wasReversed = (record: Reported): boolean => typeOf(record) === 'refund' && ['V', 'v'].includes(letterOf(record));

/**
 * Excludes captures of an authorization if `takes` is false, and reduced sales if `takes` is true. Only the status
 * distinguishes them.
 */
function likeEffect(record: Reported, takes: boolean): Likeness {
  const isLike = letterOf(record) !== '' && TOOK_MONEY.includes(letterOf(record)) === takes;
  return typeOf(record) !== CAPTURE || isLike ? 'equal' : 'notShown';
}

/** @param takes see `likeEffect`. */
const byAmount = (types: ReadonlySet<string>, takes: boolean) =>
  ({
    ...LINKED,
    cents: SAME_AMOUNT,
    isIdentifiable: ({ path, body }) => asText(path.pgIdOrig) !== '' && centsOf(body.amt_tran) !== undefined,
    key: ({ path, body }) => `${asText(path.pgIdOrig)} ${centsOf(body.amt_tran)}`,
    compare: (record, values) => [
      likeType(record, ...types),
      likeLinked(record, values),
      likeAmount(record.amt_tran, values.body.amt_tran),
      likeEffect(record, takes),
    ],
    applied: isApplied,
  }) satisfies Partial<FootprintOf<'refund', 'getTransactionRequests'>>;

/** Finds the refund in the transaction report by its sale and amount. */
export const refundFootprint: FootprintOf<'refund', 'getTransactionRequests'> = {
  ...byAmount(REFUND_TYPES, false),
  lifetime: () => 'day',
  applied: (record) => (wasReversed(record) ? 'different' : isApplied(record)),
  summary: (record, { body }) => refunded(KINDS[typeOf(record)] ?? 'refunded', body.amt_tran, record),
  agreement: 'same transaction, same amount',
};

export const captured = (amount: unknown, record: Pick<Reported, 'tran_status' | 'tran_time'>): string =>
  `Captured ${inMoneyOf(amount, record, ' in the currency')} of the authorization${whileVoidable(record, VOIDABLE)}.`;

export const VOIDABLE = ', voidable until the batch closes';

/** An authorization can be captured only once. */
export const captureFootprint: FootprintOf<'capture', 'getTransactionRequests'> = {
  ...byAmount(new Set([CAPTURE]), true),
  lifetime: () => 'always',
  summary: (record, { body }) => captured(body.amt_tran, record),
  agreement: 'same authorization, same amount',
};

/** A transaction can be voided only once, so any amount matches. */
export const voidFootprint: FootprintOf<'voidTransaction', 'getTransactionRequests'> = {
  ...LINKED,
  isIdentifiable: ({ path }) => asText(path.pgIdOrig) !== '',
  key: ({ path }) => asText(path.pgIdOrig),
  lifetime: () => 'always',
  compare: (record, values) => [likeType(record, VOID), likeLinked(record, values)],
  applied: isApplied,
  agreement: 'same transaction, voided',
};
