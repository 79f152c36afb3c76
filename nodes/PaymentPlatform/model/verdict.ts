import { asText } from '../shared/objects';

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
