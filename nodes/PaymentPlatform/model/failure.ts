import type { IDataObject } from 'n8n-workflow';
import { type DataValue, asText } from '../shared/objects';

export interface Failure {
  /**
   * Outcome of the item:
   * - `invalid`: the node refused the item and sent nothing.
   * - `declined`: the service refused the request.
   * - `notSent`: the service did not process the request.
   * - `unknown`: the service may have applied the request.
   * - `doneBefore`: the item was completed earlier, or another item has the same deduplication key.
   */
  outcome: 'invalid' | 'declined' | 'notSent' | 'unknown' | 'doneBefore';
  /** Worded with the labels that the editor shows, or the service's message. */
  message: string;
  advice: string;
  said?: string;
  httpStatus?: number;
  rcode?: string;
  code?: number;
  pgId?: string;
  retryAfterMs?: number;
  /** Number of requests that the node sent. Missing if it sent at most one. */
  tries?: number;
  /** HTTP method and path, as in the API description. */
  request?: string;
  reads?: boolean;
  /** IDs for looking up a request with an unknown outcome. */
  references?: IDataObject;
  /** Whether the service created the record although part of the request failed. */
  applied?: boolean;
  /** Users enter this code in the Resolve Items option. */
  resolveCode?: string;
  lookUp?: string;
}

/** A record or a failure. `isUnsent` is set if the node didn't send the request. A total is NaN if it is unreadable. */
export type Answer =
  | { ok: true; record: DataValue; totalPages?: number; totalRecords?: number }
  | { ok: false; failure: Failure; isUnsent?: true };

export type FailedAnswer = Extract<Answer, { ok: false }>;

export const refused = (failure: Failure): Answer => ({ ok: false, failure, isUnsent: true });

const NO_SUCH_PATH = 7;

/** The failure means that the record doesn't exist. */
export const isAbsent = ({ httpStatus, code }: Failure): boolean => httpStatus === 404 || code === NO_SUCH_PATH;

/**
 * Returns the code as three characters, such as "051" for 51, or `undefined` for the success code and invalid codes.
 */
export function readRcode(rcode: unknown): string | undefined {
  if (typeof rcode !== 'string' && typeof rcode !== 'number') return undefined;
  const text = asText(rcode).toUpperCase();
  if (/^\d{1,3}$/.test(text)) return Number(text) === 0 ? undefined : text.padStart(3, '0');
  return /^[0-9A-Z]{3}$/.test(text) ? text : undefined;
}

/** If it is `open`, the issuer may or may not have approved the payment. */
export type PaymentOutcome = 'approved' | 'partlyApproved' | 'open' | 'declined';

/** Codes for a partial approval, and for approvals of the full amount, in addition to "000" (service.md#codes). */
export const PARTLY_APPROVED = '010';
/** The cardholder must show identification. */
const APPROVED_WITH_ID = '008';
export const APPROVED_TOO: readonly string[] = [APPROVED_WITH_ID, '011', '0Y1', '0Y3'];
/** Gateway codes for a timeout and for an internal error (service.md#codes). */
export const GATEWAY_UNKNOWN: readonly string[] = ['998', '999'];
/** Codes that mean an approval only in some cases (service.md#codes). */
const AMBIGUOUS: readonly string[] = ['004', '085'];

export function paymentOutcomeOf(rcode: unknown): PaymentOutcome {
  const code = rcode === '000' ? rcode : readRcode(rcode);
  if (code === undefined || GATEWAY_UNKNOWN.includes(code) || AMBIGUOUS.includes(code)) return 'open';
  if (code === PARTLY_APPROVED) return 'partlyApproved';
  return code === '000' || APPROVED_TOO.includes(code) ? 'approved' : 'declined';
}

/** Returns whether the approval is partial or conditional. */
export const isLimitedApproval = (rcode: unknown): boolean =>
  [PARTLY_APPROVED, APPROVED_WITH_ID].includes(readRcode(rcode) ?? '');

/** Returns `undefined` for 0 and invalid codes. */
export function readCode(code: unknown): number | undefined {
  const isInteger = typeof code === 'string' ? /^-?\d{1,9}$/.test(code) : Number.isInteger(code);
  return isInteger && Number(code) !== 0 ? Number(code) : undefined;
}

export interface Advice {
  what: string;
  /**
   * Next step, in at most 200 characters. Must not tell the user to run the item again, because all operations share
   * the text.
   */
  advice: string;
  /** Whether the service's message names the invalid value, so that the node appends it. */
  named?: true;
}

/** Codes with the same explanation. */
export interface CatalogueEntry extends Advice {
  codes: readonly string[];
}

/** Recognized by the service's message, because several errors of the operation have the same code. */
export interface Refusal extends Advice {
  /** Match names such as statuses, because the wording can change. */
  pattern: RegExp;
}

/** Used in messages if the authentication method is unknown. */
export const CREDENTIAL_SECRET = 'API Key or API Token';

/** The response doesn't reveal the outcome. Begins with a condition, because the request may be read-only. */
export const LOOK_UP_FIRST =
  'If the request creates, changes or pays anything, it may have been applied. Do not send it again before you look up the record.';
