import { DateTime } from 'luxon';
import { asText } from '../shared/objects';

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
