import type { IDataObject } from 'n8n-workflow';
import { type DataValue, asText } from '../shared/objects';

/** Failure of an item or a request. */
export interface Failure {
  /**
   * Outcome of the item:
   * - `invalid`: the node refused the item and sent nothing.
   * - `declined`: the service refused the request.
   * - `notSent`: the request never reached the service, or the service rejected the request without processing it.
   * - `unknown`: the service may have applied the request.
   * - `doneBefore`: an earlier attempt completed the item with other content, so the node sent nothing in this attempt.
   */
  outcome: 'invalid' | 'declined' | 'notSent' | 'unknown' | 'doneBefore';
  /** Reason, worded with the labels that the editor shows. If the node has no text for the failure, this is the service's message. */
  message: string;
  /** Next step for the user. */
  advice: string;
  /** Message and code from the service. */
  said?: string;
  httpStatus?: number;
  rcode?: string;
  code?: number;
  pgId?: string;
  /** Delay before the next attempt, as requested by the service, in milliseconds. */
  retryAfterMs?: number;
  /** Number of attempts, if the node sent the request more than once. */
  tries?: number;
  /** HTTP method and path of the request, as written in the interface. */
  request?: string;
  /** Whether the request only reads data. */
  reads?: boolean;
  /** IDs that help users look up a request with an unknown outcome. */
  references?: IDataObject;
  /** Whether the service created the record although part of the request failed. */
  applied?: boolean;
  /** Code that users enter in the option Resolve Items to report the outcome of the earlier attempt. */
  resolveCode?: string;
  /** Instructions for looking up a request with an unknown outcome. */
  lookUp?: string;
}

/** Decoded response of the service: a record or a failure. */
export type Answer =
  { ok: true; record: DataValue; totalPages?: number; totalRecords?: number } | { ok: false; failure: Failure };

/** The platform's code for "No such URL" (service.md#codes). */
const NO_SUCH_PATH = 7;

/** Returns whether a failure means that the record doesn't exist. */
export const isAbsent = ({ httpStatus, code }: Failure): boolean => httpStatus === 404 || code === NO_SUCH_PATH;

/**
 * Returns the gateway's error code with three characters, such as "051" for 51. Returns `undefined` for the success
 * code and for values that aren't codes.
 */
export function readRcode(rcode: unknown): string | undefined {
  if (typeof rcode !== 'string' && typeof rcode !== 'number') return undefined;
  const text = asText(rcode).toUpperCase();
  if (/^\d{1,3}$/.test(text)) return Number(text) === 0 ? undefined : text.padStart(3, '0');
  return /^[0-9A-Z]{3}$/.test(text) ? text : undefined;
}

/** Returns the platform's error code as a number. Returns `undefined` for 0 and for values that aren't codes. */
export function readCode(code: unknown): number | undefined {
  const isInteger = typeof code === 'string' ? /^-?\d{1,9}$/.test(code) : Number.isInteger(code);
  return isInteger && Number(code) !== 0 ? Number(code) : undefined;
}

/** Explanation of an error code for users, and the next step. */
export interface Advice {
  /** Sentence that describes the failure. */
  what: string;
  /**
   * Next step, in at most 200 characters. All operations share the text, so the text must not tell the user to run the
   * item again.
   */
  advice: string;
  /** Whether the service's message names the invalid value. The node then adds the message to the reason. */
  named?: true;
}

/** Error codes with the same explanation. */
export interface CatalogueEntry extends Advice {
  codes: readonly string[];
}

/**
 * Error that the node recognizes by the service's message, because several errors of the operation have the same code.
 */
export interface Refusal extends Advice {
  /**
   * Pattern for the service's message. Match names in the message, such as a status, instead of the wording. The node
   * replaces names in braces in the advice with the values of the request's path.
   */
  pattern: RegExp;
}

/**
 * Name of the credential's secret for messages, if the authentication method is unknown. If the method is known,
 * `namingSecret` of failures.ts replaces this text.
 */
export const CREDENTIAL_SECRET = 'API Key or API Token';

/**
 * Advice for a response that doesn't reveal the outcome of the request. The text begins with a condition, because a
 * request that only reads can get the same response.
 */
export const LOOK_UP_FIRST =
  'If the request creates, changes or pays anything, it may have been applied. Do not send it again before you look up the record.';
