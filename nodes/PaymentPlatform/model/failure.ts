import type { IDataObject } from 'n8n-workflow';
import { type DataValue, asText } from '../shared/objects';

/** Reason why a request failed. */
export interface Failure {
  /**
   * `invalid`: the node refused the item before sending. `declined`: the service refused the request. `notSent`: the
   * request never reached the service, or the service rejected it without processing it. `unknown`: the service may
   * have applied the request. `doneBefore`: an earlier attempt completed this item with other content, so the node sent
   * nothing now.
   */
  outcome: 'invalid' | 'declined' | 'notSent' | 'unknown' | 'doneBefore';
  /** Reason in the terms of the editor, or in the service's words if the node has none. */
  message: string;
  /** Next step for the user. */
  advice: string;
  /** Message and code from the service. */
  said?: string;
  httpStatus?: number;
  rcode?: string;
  code?: number;
  pgId?: string;
  /** Waiting time that the service requested, in milliseconds. */
  retryAfterMs?: number;
  /** Number of times that the request was sent, if more than once. */
  tries?: number;
  /** Method and path, as written in the interface. */
  request?: string;
  /** Whether the request only reads. */
  reads?: boolean;
  /** IDs for looking up a request with an unknown outcome. */
  references?: IDataObject;
  /** Whether the record exists although a part of the request failed. */
  applied?: boolean;
  /** Code that a user enters in the option Resolve Items to state what happened to the earlier attempt. */
  resolveCode?: string;
  /** Instructions for finding out what happened to a request with an unknown outcome. */
  lookUp?: string;
}

/** Decoded response. */
export type Answer =
  { ok: true; record: DataValue; totalPages?: number; totalRecords?: number } | { ok: false; failure: Failure };

/** The platform's code for "No such URL" (service.md#codes). */
const NO_SUCH_PATH = 7;

/** Returns whether a failure means that the record doesn't exist. */
export const isAbsent = ({ httpStatus, code }: Failure): boolean => httpStatus === 404 || code === NO_SUCH_PATH;

/**
 * Returns the code of a refusal in the service's notation, such as "051" for 51, or `undefined` if the value isn't a
 * code.
 */
export function readRcode(rcode: unknown): string | undefined {
  if (typeof rcode !== 'string' && typeof rcode !== 'number') return undefined;
  const text = asText(rcode).toUpperCase();
  if (/^\d{1,3}$/.test(text)) return Number(text) === 0 ? undefined : text.padStart(3, '0');
  return /^[0-9A-Z]{3}$/.test(text) ? text : undefined;
}

/** Returns a refusal's code as a number, or `undefined` if the value isn't a code. */
export function readCode(code: unknown): number | undefined {
  const isInteger = typeof code === 'string' ? /^-?\d{1,9}$/.test(code) : Number.isInteger(code);
  return isInteger && Number(code) !== 0 ? Number(code) : undefined;
}

/** Meaning of a code for users, and the next step. */
export interface Advice {
  /** One sentence about what happened. */
  what: string;
  /**
   * Next step, in at most 200 characters. The same text appears for every operation, so it never tells the user to run
   * the item again.
   */
  advice: string;
  /** Whether the service's message names the wrong value. The message then becomes part of the reason. */
  named?: true;
}

/** Codes with the same meaning for users. */
export interface CatalogueEntry extends Advice {
  codes: readonly string[];
}

/** Refusal of one operation that only the service's message identifies, because its code is ambiguous. */
export interface Refusal extends Advice {
  /**
   * Matched against the service's message. Prefer names in it, such as a status, to its phrasing. Names in braces in
   * the advice are replaced by the values of the request's path.
   */
  pattern: RegExp;
}

/**
 * Name of the credential's secret if the authentication method is unknown. Code that knows the method replaces this
 * text with the right name (`namingSecret` of failures.ts).
 */
export const CREDENTIAL_SECRET = 'API Key or API Token';

/**
 * Advice for responses that do not show whether the request was applied. A request that only reads can get the same
 * response, so the text starts with a condition.
 */
export const LOOK_UP_FIRST =
  'If the request creates, changes or pays anything, it may have been applied. Do not send it again before you look up the record.';
