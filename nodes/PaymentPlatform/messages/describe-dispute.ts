import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { asText, fullName } from '../shared/objects';
import { lastDigits } from '../shared/privacy';

interface Dispute {
  status?: unknown;
  data_type?: unknown;
  incoming_date?: unknown;
}

/** The dispute needs a response from the merchant (service.md#disputes). */
export const NEW = 'N';
/** The service reviews the merchant's response. */
export const IN_REVIEW = 'Q';
/** In a retrieval request, the issuer asks for documents but takes no money. */
export const RETRIEVAL = 'V';

/** This is an estimate, because the API contains no due date (service.md#disputes). */
const DAYS_TO_RESPOND = 20;

export function possibleActions({ status, data_type: type }: Dispute): string {
  if (status === NEW) return type === RETRIEVAL ? 'Respond' : 'Accept or respond';
  return status === IN_REVIEW ? 'Wait or reset' : 'Unknown';
}

/** Returns yyyy-MM-dd, or `undefined` if the dispute is under review or has no valid date. */
export function estimateDueDay({ status, incoming_date: arrived }: Dispute): string | undefined {
  if (status === IN_REVIEW) return undefined;
  const due = DateTime.fromISO(asText(arrived).slice(0, 10), { zone: 'utc' }).plus({ days: DAYS_TO_RESPOND });
  return due.isValid ? due.toISODate() : undefined;
}

/**
 * Returns the cardholder of the disputed payment. A dispute contains neither a customer nor a transaction ID, so the
 * payments with its purchase ID and card must agree.
 */
export function cardholderOf(dispute: { card_number?: unknown }, payments: IDataObject[]): string {
  const last = lastDigits(dispute.card_number);
  const alike = payments.filter(({ card_number: card }) => last !== '' && lastDigits(card) === last);
  const names = new Set(alike.map((one) => fullName(one.cardholder_first_name, one.cardholder_last_name)));
  const [name = ''] = names;
  return names.size === 1 ? name : '';
}
