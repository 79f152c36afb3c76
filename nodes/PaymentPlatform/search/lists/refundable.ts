import type { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { instant, REPORT_ZONE } from '../../fields/kinds/date';
import { asText, readableNumber, toCents } from '../../shared/objects';
import { day, words, type Part } from '../engine/line-parts';

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
export function leftOf(record: IDataObject, linked: IDataObject[]): number | undefined {
  const amount = readableNumber(record.amt_tran);
  if (amount === undefined) return undefined;
  const refunds = linked.filter(isApplied).map((one) => centsOf(one.amt_tran));
  const given = refunds.reduce((sum, cents) => sum + cents, 0);
  return Math.max(0, toCents(amount) - Math.max(centsOf(record.amt_refunded), given)) / 100;
}

/** Some refund records contain negative amounts. */
const centsOf = (value: unknown) => Math.abs(toCents(readableNumber(value) ?? 0));

function isApplied(record: IDataObject): boolean {
  const type = asText(record.request_type).toLowerCase();
  const status = statusLetter(record);
  if (WITHOUT_EFFECT.has(status)) return false;
  return type === 'void' || (type === 'refund' && !TAKEN_BACK.has(status));
}

export function whyNot(record: IDataObject, left: number | undefined, now: DateTime): string | undefined {
  const kind = NO_PAYMENT[asText(record.request_type).toLowerCase()];
  const status = NOT_CAPTURED[statusLetter(record)];
  if (kind !== undefined || status !== undefined) return kind ?? status;
  if (left !== undefined && left <= 0) return 'refunded in full';
  if (record.dispute_flag === true) return 'disputed';
  const time = timeOf(record);
  return time && time < now.minus({ days: REFUND_DAYS }) ? `older than ${REFUND_DAYS} days` : undefined;
}

/** Shows the last day for the capture. */
export function deadlinePart(record: IDataObject, now: DateTime): Part {
  const last = timeOf(record)?.setZone(now.zone).plus({ days: CAPTURE_DAYS });
  return words(last ? `until ${day(last, now).text}` : '');
}

const isExpired = (record: IDataObject, now: DateTime): boolean => {
  const time = timeOf(record);
  return time !== undefined && time < now.minus({ days: CAPTURE_DAYS });
};

export function whyNotCapture(record: IDataObject, _: number | undefined, now: DateTime): string | undefined {
  const letter = statusLetter(record);
  if (!(letter in OPEN)) return CAPTURED[letter] ?? NOT_CAPTURED[letter];
  return isExpired(record, now) ? 'expired' : undefined;
}

/** The transaction needs a receipt and a reusable card. */
export function whyNotSuccessful(record: IDataObject): string | undefined {
  const letter = statusLetter(record);
  const kind = NO_PAYMENT[asText(record.request_type).toLowerCase()];
  return kind ?? (letter in OPEN || letter in CAPTURED ? undefined : NOT_CAPTURED[letter]);
}

export function whyNotVoid(record: IDataObject, left: number | undefined, now: DateTime): string | undefined {
  const letter = statusLetter(record);
  const kind = NO_PAYMENT[asText(record.request_type).toLowerCase()];
  if (kind !== undefined) return kind;
  if (letter in OPEN) return isExpired(record, now) ? 'expired' : undefined;
  if (['S', 'P', 'N'].includes(letter)) return 'settled';
  return NOT_CAPTURED[letter] ?? (left !== undefined && left <= 0 ? 'refunded in full' : undefined);
}
