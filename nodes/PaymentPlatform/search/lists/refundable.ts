import type { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { instant, REPORT_ZONE } from '../../fields/kinds/date';
import { asText, centsOf, readableNumber, toCents } from '../../shared/objects';
import { day, words, type Part } from '../engine/line-parts';
import type { Picker, View } from '../engine/picker';

/** Sales can be refunded for this number of days (service.md#refunds). */
const REFUND_DAYS = 365;

/** These transactions are not payments of their own, so the list omits them. */
const NO_PAYMENT: Record<string, string> = {
  verify: 'card verification, not a sale',
  refund: 'refund, not a sale',
  credit: 'refund, not a sale',
  void: 'void, not a sale',
  capture: 'capture, not a sale',
};

/** Captured transactions, by case-sensitive status code (service.md#letters). */
const CAPTURED: Record<string, string> = { C: 'captured', S: 'settled', P: 'deposited', N: 'settled' };
/** Authorizations can be captured for this number of days (service.md#authorizations). */
const CAPTURE_DAYS = 28;
const OPEN: Record<string, string> = { A: 'authorized' };
const IN_FULL: Record<string, string> = { P: 'deposit sent' };
const NOT_CAPTURED: Record<string, string> = {
  A: 'not captured yet',
  H: 'held',
  V: 'voided',
  v: 'voided',
  K: 'canceled',
  D: 'declined',
  F: 'failed',
  R: 'rejected',
  S: 'settled, refundable after the deposit is sent',
};
/** Status codes of refunds and voids that had no effect. */
const WITHOUT_EFFECT = new Set(['D', 'F', 'R', 'K', 'H']);
/** Status codes of voided refunds. */
const TAKEN_BACK = new Set(['V', 'v']);

const statusLetter = ({ tran_status: status }: IDataObject) => asText(status).trim();

/** The search also matches the service's own term for the status. */
export function statusPart(record: IDataObject): Part {
  const letter = statusLetter(record);
  return words(CAPTURED[letter] ?? OPEN[letter] ?? (letter === '' ? '' : `status ${letter}`), IN_FULL[letter]);
}

/** Returns `undefined` if the record contains no valid time. */
export const timeOf = (record: IDataObject): DateTime | undefined => instant(record.tran_time, REPORT_ZONE);

/**
 * Returns the amount in the currency's main unit, or `undefined` if it is unknown. Subtracts the refunded amount in the
 * report or the sum of the known refunds, whichever is greater.
 */
export function leftOf(record: IDataObject, { linked }: View): number | undefined {
  const amount = readableNumber(record.amt_tran);
  if (amount === undefined) return undefined;
  const refunds = linked(record).filter(isApplied);
  // Some refund records contain negative amounts.
  const given = refunds.reduce((sum, one) => sum + (centsOf(one.amt_tran) ?? 0), 0);
  return Math.max(0, toCents(amount) - Math.max(centsOf(record.amt_refunded) ?? 0, given)) / 100;
}

function isApplied(record: IDataObject): boolean {
  const type = asText(record.request_type).toLowerCase();
  const status = statusLetter(record);
  if (WITHOUT_EFFECT.has(status)) return false;
  return type === 'void' || (type === 'refund' && !TAKEN_BACK.has(status));
}

const kindOf = ({ request_type: type }: IDataObject) => NO_PAYMENT[asText(type).toLowerCase()];

const isOlder = (record: IDataObject, days: number, now: DateTime): boolean => {
  const time = timeOf(record);
  return time !== undefined && time < now.minus({ days });
};

const isRefundedInFull = (record: IDataObject, view: View) => (leftOf(record, view) ?? 1) <= 0;

type Reason = NonNullable<Picker['leftOut']>;

export const notRefundable: Reason = (record, view) => {
  const reason = kindOf(record) ?? NOT_CAPTURED[statusLetter(record)];
  if (reason !== undefined) return reason;
  if (isRefundedInFull(record, view)) return 'refunded in full';
  if (record.dispute_flag === true) return 'disputed';
  return isOlder(record, REFUND_DAYS, view.now) ? `older than ${REFUND_DAYS} days` : undefined;
};

/** Shows the last day for the capture. */
export function deadlinePart(record: IDataObject, now: DateTime): Part {
  const last = timeOf(record)?.setZone(now.zone).plus({ days: CAPTURE_DAYS });
  return words(last ? `until ${day(last, now).text}` : '');
}

export const notCapturable: Reason = (record, { now }) => {
  const letter = statusLetter(record);
  if (!(letter in OPEN)) return CAPTURED[letter] ?? NOT_CAPTURED[letter];
  return isOlder(record, CAPTURE_DAYS, now) ? 'expired' : undefined;
};

/** The transaction needs a receipt and a reusable card. */
const notSuccessful: Reason = (record) => {
  const letter = statusLetter(record);
  return kindOf(record) ?? (letter in OPEN || letter in CAPTURED ? undefined : NOT_CAPTURED[letter]);
};

const notVoidable: Reason = (record, view) => {
  const letter = statusLetter(record);
  const kind = kindOf(record);
  if (kind !== undefined) return kind;
  if (letter in OPEN) return isOlder(record, CAPTURE_DAYS, view.now) ? 'expired' : undefined;
  if (['S', 'P', 'N'].includes(letter)) return 'settled';
  return NOT_CAPTURED[letter] ?? (isRefundedInFull(record, view) ? 'refunded in full' : undefined);
};

/** By operation. The other operations refund. */
export const UNUSABLE: Record<string, Reason> = {
  void: notVoidable,
  recharge: notSuccessful,
  emailReceipt: notSuccessful,
};
