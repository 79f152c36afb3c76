import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { asText, exactJson, isObject } from '../shared/objects';

/** A call that is turned away: its HTTP status, and why, in words that hold nothing of its content. */
export interface Refusal {
  status: 400 | 401 | 413 | 503;
  reason: string;
  /** For a person, when it is more than somebody's mistake. */
  problem?: string;
}

/** Fields of the delivered body (openapi.yaml#WebhookDelivery): webhook_id, db_timestamp, event, is_test, data. */
export type Payload = IDataObject;

/** 96 bits: enough for no two deliveries of a window ever to meet. */
const IDENTITY_LENGTH = 16;

/**
 * Reads the body of a delivery.
 * @param rawBody the bytes as they were received; none when n8n took the call for a form.
 * @returns the payload, or the refusal: not a JSON object, or without the name of an event.
 */
export function readPayload(rawBody: Buffer | undefined): { payload: Payload } | { refusal: Refusal } {
  const payload = parse(rawBody);
  if (!isObject(payload)) return { refusal: { status: 400, reason: 'the body is not a JSON object' } };
  if (typeof payload.event !== 'string' || payload.event === '')
    return { refusal: { status: 400, reason: 'the body names no event' } };
  return { payload: payload };
}

/**
 * What makes two deliveries the same: the service gives no delivery ID and repeats the same bytes. So two bodies are two
 * events as soon as anything in them differs: an ID, an amount, the second in which they were written down. Headers don't
 * count, and neither does the webhook's ID, so that an event which two webhooks of the node deliver, while one replaces the
 * other, is one event.
 */
export function deliveryIdentity(rawBody: Buffer): string {
  const text = rawBody.toString('utf8').replace(/"webhook_id"\s*:\s*"?\d+"?/, '"webhook_id":0');
  return createHash('sha256').update(text).digest('base64url').slice(0, IDENTITY_LENGTH);
}

/** The one event that is known to tell of many records, and where it holds them (docs/service.md#events). */
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
