import type { IDataObject } from 'n8n-workflow';
import { type DataValue, asText } from '../shared/objects';

/** How a request ended when it did not end well. */
export interface Failure {
  /**
   * `invalid`: refused by the node before anything was sent. `declined`: the service's answer. `notSent`: it provably
   * never reached the service or was turned away unread. `unknown`: it may have been applied. `doneBefore`: an earlier
   * try of the run did this item with other content, so nothing was sent now.
   */
  outcome: 'invalid' | 'declined' | 'notSent' | 'unknown' | 'doneBefore';
  /** Why, in the words of the panel; the service's own where nobody else has any. */
  message: string;
  /** What to do about it. */
  advice: string;
  /** The service's own words, with its code. */
  said?: string;
  httpStatus?: number;
  rcode?: string;
  code?: number;
  pgId?: string;
  /** How long the service asked to wait, in milliseconds. */
  retryAfterMs?: number;
  /** How often the request was sent, when more than once. */
  tries?: number;
  /** Method and path, as the interface writes it. */
  request?: string;
  /** Whether the request only read. */
  reads?: boolean;
  /** IDs by which a request of unknown outcome can be looked up. */
  references?: IDataObject;
  /** Whether the record exists all the same: only a part of what was wanted went wrong. */
  applied?: boolean;
  /** What a person types into the option Resolve Items to say what became of the earlier try. */
  resolveCode?: string;
  /** How a person finds out what became of a request of unknown outcome. */
  lookUp?: string;
}

/** A decoded answer. */
export type Answer =
  { ok: true; record: DataValue; totalPages?: number; totalRecords?: number } | { ok: false; failure: Failure };

/** "No such URL" of the platform (service.md#codes). */
const NO_SUCH_PATH = 7;

/** Whether a refusal says that there is no such record. */
export const isAbsent = ({ httpStatus, code }: Failure): boolean => httpStatus === 404 || code === NO_SUCH_PATH;

/**
 * What an answer's own code says. `doubtful`: it is there and can't be read, so that nobody knows whether the request was
 * applied.
 */
export type Verdict = 'success' | 'refused' | 'doubtful';

/** The fields of the platform's envelope that records have as well (service.md#families). */
const ENVELOPE = new Set(['code', 'totalPages', 'totalRecords']);

/**
 * A gateway answer by its `rcode` (service.md#codes): "000" is success, every other code of three characters a
 * refusal. A number has lost its leading zeros. Anything else, 0 and "0" too, is no code of the service.
 * @returns nothing for an answer without one.
 */
export function gatewayVerdict({ rcode }: Record<string, unknown>): Verdict | undefined {
  if (rcode === undefined) return undefined;
  if (rcode === '000') return 'success';
  return readRcode(rcode) === undefined ? 'doubtful' : 'refused';
}

/** A refusal's code as the service writes it, such as "051" for 51; `undefined` for what is none. */
export function readRcode(rcode: unknown): string | undefined {
  if (typeof rcode !== 'string' && typeof rcode !== 'number') return undefined;
  const text = asText(rcode).toUpperCase();
  if (/^\d{1,3}$/.test(text)) return Number(text) === 0 ? undefined : text.padStart(3, '0');
  return /^[0-9A-Z]{3}$/.test(text) ? text : undefined;
}

/**
 * A platform answer by its `code` (service.md#codes): the integer 0 is success, every other integer a refusal, as
 * a number or text. Anything else, "0" too, is no code of the service.
 * @returns nothing for an answer without one.
 */
export function platformVerdict({ code }: Record<string, unknown>): Verdict | undefined {
  if (code === undefined) return undefined;
  if (code === 0) return 'success';
  return readCode(code) === undefined ? 'doubtful' : 'refused';
}

/** A refusal's code as a number; `undefined` for what is none. */
export function readCode(code: unknown): number | undefined {
  const isInteger = typeof code === 'string' ? /^-?\d{1,9}$/.test(code) : Number.isInteger(code);
  return isInteger && Number(code) !== 0 ? Number(code) : undefined;
}

/** Whether an object with a `code` is the platform's envelope, and not a record that happens to have such a field. */
export const isEnvelope = (body: Record<string, unknown>): boolean =>
  'message' in body || 'data' in body || Object.keys(body).every((name) => ENVELOPE.has(name));

/** What a code means to a person who bills customers, and what that person does about it. */
export interface Advice {
  /** What happened, as one sentence. */
  what: string;
  /** What to do, in at most 200 characters. It holds for every operation, so it never says to run the item again. */
  advice: string;
  /** Whether the service's own words say which value it is: they belong to the reason then. */
  named?: true;
}

/** Codes that come to the same for the reader. */
export interface CatalogueEntry extends Advice {
  codes: readonly string[];
}

/** A refusal of one operation that the service's own words tell, where its code alone does not. */
export interface Refusal extends Advice {
  /**
   * Looked for in the service's words: better what they name, such as a status, than how they say it. Names in braces in
   * its advice are replaced by the values of the request's path.
   */
  pattern: RegExp;
}

/**
 * What the credential holds, where nobody knows which of the two was chosen: whoever knows puts the
 * name in its place (`namingSecret` of failures.ts).
 */
export const CREDENTIAL_SECRET = 'API Key or API Token';

/**
 * For answers that leave open whether the request was applied. The same answer may come to a request that only reads, so
 * it starts with a condition.
 */
export const LOOK_UP_FIRST =
  'If the request creates, changes or pays anything, do not send it again: look the record up first, since it may have been applied.';
