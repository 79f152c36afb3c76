import { createHash } from 'node:crypto';

import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { asText, exactJson, isObject } from '../shared/objects';

/** A call that is turned away: its HTTP status, and why, in words that hold nothing of its content. */
export interface DeliveryRefusal {
  status: 400 | 401 | 413 | 503;
  reason: string;
  /** For a person, when it is more than somebody's mistake. */
  problem?: string;
}

/** Fields of the delivered body (openapi.yaml#WebhookDelivery): webhook_id, db_timestamp, event, is_test, data. */
export type Payload = IDataObject;

/** n8n can't store an event that is nested a few thousand levels deep. The service's own events have fewer than ten. */
const MOST_LEVELS = 100;

/** 96 bits: enough for no two deliveries of a window ever to meet. */
const IDENTITY_LENGTH = 16;

/**
 * Reads the body of a delivery.
 * @param rawBody the bytes as they were received; none when n8n took the call for a form.
 * @returns the payload, or the refusal: nested too deep, not a JSON object, or without the name of an event.
 */
export function readPayload(rawBody: Buffer | undefined): { payload: Payload } | { refusal: DeliveryRefusal } {
  if (scan(rawBody ?? Buffer.alloc(0)).levels > MOST_LEVELS)
    return { refusal: { status: 400, reason: `the body is nested more than ${MOST_LEVELS} levels deep` } };
  const payload = parse(rawBody);
  if (!isObject(payload)) return { refusal: { status: 400, reason: 'the body is not a JSON object' } };
  if (typeof payload.event !== 'string' || payload.event === '')
    return { refusal: { status: 400, reason: 'the body names no event' } };
  return { payload: payload };
}

/**
 * Returns what is the same for all copies of a delivery, and for no other. The service gives no delivery ID and repeats the
 * same bytes, so all bytes of the body count. Only the webhook's own ID does not: while one webhook of the node replaces
 * another, both may deliver the same event.
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

/** A field `webhook_id` from its name to the end of its number. */
const WEBHOOK_ID = /"webhook_id"\s*:\s*(?:"\d+"|\d+)(?=\s*[,}])/y;

/**
 * Finds, without parsing, how deep JSON is nested and where the fields `webhook_id` of its outermost object are. Each byte is
 * one character, so that bytes which are not UTF-8 stay different.
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

/** Returns the position of the quotation mark that ends the text which begins at `from`. */
function endOfText(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** The one event that is known to tell of many records, and where it holds them (service.md#events). */
const RECORDS_OF_EVENT: Record<string, string> = { transaction_status_updated: 'transactions' };

/**
 * The records of a delivery that tells of many: those of an event which is known to, and the array that makes up the
 * whole of `data`. An array beside other fields, such as the lines of an invoice, is part of one record.
 */
export function recordsOf({ event, data }: Payload): IDataObject[] | undefined {
  if (areRecords(data)) return data;
  if (!isObject(data)) return undefined;
  const names = Object.keys(data);
  const name = RECORDS_OF_EVENT[asText(event)] ?? (names.length === 1 ? names[0] : undefined);
  const records = name === undefined ? undefined : data[name];
  return areRecords(records) ? records : undefined;
}

/**
 * A delivery without the records that it tells of: what else its `data` holds is about all of them.
 */
export function envelopeOf(payload: Payload, records: IDataObject[]): Payload {
  const { data, ...envelope } = payload;
  if (!isObject(data)) return envelope;
  const rest = Object.entries(data).filter(([, value]) => value !== records);
  return rest.length === 0 ? envelope : { ...envelope, data: Object.fromEntries(rest) };
}

const areRecords = (value: unknown): value is IDataObject[] =>
  Array.isArray(value) && value.length > 0 && value.every((record) => isObject(record));

// A byte order mark is no part of the text; JSON.parse takes it for one.
const parse = (rawBody: Buffer | undefined) => exactJson(rawBody?.toString('utf8').replace(/^\uFEFF/, '') ?? '');

/**
 * Returns the moment at which the service recorded an event, or `undefined` if the value is no time. A time without an
 * offset is UTC (service.md#values).
 * @param text `db_timestamp` of a delivery.
 */
export function recordedAt(text: unknown): DateTime | undefined {
  if (typeof text !== 'string') return undefined;
  const moment = DateTime.fromISO(text.trim().replace(' ', 'T'), { zone: 'utc' });
  return moment.isValid ? moment : undefined;
}

/**
 * Returns whether an event is no older than the limit. A value that is no time has no age, so it is not recent.
 * @param mostMinutes 0 for no limit.
 */
export function isRecent(text: unknown, mostMinutes: number, now = DateTime.now()): boolean {
  if (mostMinutes === 0) return true;
  const moment = recordedAt(text);
  return moment !== undefined && now.diff(moment, 'minutes').minutes <= mostMinutes;
}
