import { DateTime } from 'luxon';
import { asText } from '../shared/objects';

/** Fields of a dispute that determine the possible actions and the time for a response. */
interface Dispute {
  status?: unknown;
  data_type?: unknown;
  incoming_date?: unknown;
}

/** Status of a dispute that waits for a response (service.md#disputes). */
export const NEW = 'N';
/** Status of a dispute while the service reviews the merchant's response. */
export const IN_REVIEW = 'Q';
/** Type of a retrieval request, which asks for documents and takes no money. */
export const RETRIEVAL = 'V';

/** Days until the estimated end of the time for a response. The interface contains no due date (service.md#disputes). */
const DAYS_TO_RESPOND = 20;

/** Describes the possible actions of a dispute. */
export function possibleActions({ status, data_type: type }: Dispute): string {
  if (status === NEW) return type === RETRIEVAL ? 'Respond' : 'Accept or respond';
  return status === IN_REVIEW ? 'Wait or reset' : 'Unknown';
}

/**
 * Returns the estimated last day for a response as yyyy-MM-dd, or `undefined` if the dispute needs no response or has no
 * readable date.
 */
export function estimateDueDay({ status, incoming_date: arrived }: Dispute): string | undefined {
  if (status === IN_REVIEW) return undefined;
  const due = DateTime.fromISO(asText(arrived).slice(0, 10), { zone: 'utc' }).plus({ days: DAYS_TO_RESPOND });
  return due.isValid ? due.toISODate() : undefined;
}
