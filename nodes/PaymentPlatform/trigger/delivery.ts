import { createHash } from 'node:crypto';

import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { asText, exactJson, isObject } from '../shared/objects';

/** The reason contains no data from the call. */
export interface DeliveryRefusal {
  status: 400 | 401 | 413 | 503;
  reason: string;
  /** Message for the user. Missing if the user doesn't need to act. */
  problem?: string;
}

/** Body of a delivery (openapi.yaml#WebhookDelivery). */
export type Payload = IDataObject;

/** Maximum nesting depth of an event. n8n can't store an event with thousands of levels. */
const MOST_LEVELS = 100;

const IDENTITY_LENGTH = 16;

/**
 * @param rawBody received bytes, or `undefined` if n8n parsed the call as a form.
 * @returns the payload, or a refusal if the body is invalid.
 */
export function readPayload(rawBody: Buffer | undefined): { payload: Payload } | { refusal: DeliveryRefusal } {
  if (scan(rawBody ?? Buffer.alloc(0)).levels > MOST_LEVELS)
    return { refusal: { status: 400, reason: `the body is nested more than ${MOST_LEVELS} levels deep` } };
  const payload = parse(rawBody);
  if (!isObject(payload)) return { refusal: { status: 400, reason: 'the body is not a JSON object' } };
  if (typeof payload.event !== 'string' || payload.event === '')
    return { refusal: { status: 400, reason: 'the body contains no event name' } };
  return { payload: payload };
}

/**
 * Returns a digest that all copies share. It covers the whole body except the webhook's ID, because two webhooks may
 * deliver the same event.
 */
export function deliveryIdentity(rawBody: Buffer): string {
  const text = rawBody.toString('latin1');
  let compared = '';
  let comparedTo = 0;
  for (const { from, to } of scan(rawBody).webhookIds) {
    compared += `${text.slice(comparedTo, from)}"webhook_id":0`;
    comparedTo = to;
  }
  const hash = createHash('sha256').update(compared + text.slice(comparedTo), 'latin1');
  return hash.digest('base64url').slice(0, IDENTITY_LENGTH);
}

const WEBHOOK_ID = /"webhook_id"\s*:\s*(?:"\d+"|\d+)(?=\s*[,}])/y;

/**
 * Finds the nesting depth and the positions of `webhook_id` in the outermost object. Different invalid UTF-8 bytes stay
 * distinct.
 */
function scan(rawBody: Buffer): { levels: number; webhookIds: Array<{ from: number; to: number }> } {
  const text = rawBody.toString('latin1');
  const webhookIds: Array<{ from: number; to: number }> = [];
  let level = 0;
  let levels = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '{' || sign === '[') levels = Math.max(levels, (level += 1));
    else if (sign === '}' || sign === ']') level -= 1;
    else if (sign === '"') {
      WEBHOOK_ID.lastIndex = at;
      if (level === 1 && WEBHOOK_ID.test(text)) webhookIds.push({ from: at, to: WEBHOOK_ID.lastIndex });
      at = endOfText(text, at);
    }
  }
  return { levels, webhookIds };
}

function endOfText(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** Fields of `data` that contain the records of an event (service.md#events). */
const RECORDS_OF_EVENT: Record<string, string> = { transaction_status_updated: 'transactions' };

/** For an unknown event, the records are an array that is the only field of `data`. */
export function recordsOf({ event, data }: Payload): IDataObject[] | undefined {
  if (areRecords(data)) return data;
  if (!isObject(data)) return undefined;
  const names = Object.keys(data);
  const name = RECORDS_OF_EVENT[asText(event)] ?? (names.length === 1 ? names[0] : undefined);
  const records = name === undefined ? undefined : data[name];
  return areRecords(records) ? records : undefined;
}

/** The remaining fields of `data` apply to all records. */
export function envelopeOf(payload: Payload, records: IDataObject[]): Payload {
  const { data, ...envelope } = payload;
  if (!isObject(data)) return envelope;
  const rest = Object.entries(data).filter(([, value]) => value !== records);
  return rest.length === 0 ? envelope : { ...envelope, data: Object.fromEntries(rest) };
}

/** Replaces the records. */
export function withRecords(payload: Payload, records: IDataObject[], left: IDataObject[]): Payload {
  const { data } = payload;
  if (!isObject(data)) return { ...payload, data: left };
  const entries = Object.entries(data).map(([name, value]) => [name, value === records ? left : value] as const);
  return { ...payload, data: Object.fromEntries(entries) };
}

const areRecords = (value: unknown): value is IDataObject[] =>
  Array.isArray(value) && value.length > 0 && value.every((record) => isObject(record));

// Removes a byte order mark, which JSON.parse would reject.
const parse = (rawBody: Buffer | undefined) => exactJson(rawBody?.toString('utf8').replace(/^\uFEFF/, '') ?? '');

/** Returns `undefined` for an invalid time. A time without an offset is in UTC (service.md#values). */
export function recordedAt(text: unknown): DateTime | undefined {
  if (typeof text !== 'string') return undefined;
  const moment = DateTime.fromISO(text.trim().replace(' ', 'T'), { zone: 'utc' });
  return moment.isValid ? moment : undefined;
}

const MOST_MINUTES_AHEAD = 60;

/**
 * Returns the reason to reject an event because of its age, or `undefined`.
 * @param limits maximum age in minutes, or 0 to accept any time.
 */
export function ageProblem(
  text: unknown,
  { mostMinutes, isTest, now = DateTime.utc() }: { mostMinutes: number; isTest: boolean; now?: DateTime },
): string | undefined {
  if (mostMinutes === 0) return undefined;
  const moment = recordedAt(text);
  if (moment === undefined) return 'has no valid time';
  const age = now.diff(moment, 'minutes').minutes;
  if (age > mostMinutes) return `is older than ${mostMinutes} minutes`;
  // A sandbox's clock can be ahead, so future times are valid in the test environment.
  return !isTest && -age > MOST_MINUTES_AHEAD ? 'is more than one hour in the future' : undefined;
}
