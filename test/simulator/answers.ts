import { DateTime } from 'luxon';

import { familyOf, refusalAnswer, usualCode, type Answer } from '../../sandbox/core/envelopes';
import type { Happening } from './schedule';
import { canariesOf } from './canaries';
import type { Seen, Sent } from './sent';

/** HTTP response that the node receives, and its correct interpretation. */
export interface WireAnswer {
  seen: Seen;
  status: number;
  text: string;
  headers: Record<string, string>;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** Returns the response to an HTTP request. */
export function answerTo(
  { path, authorization }: Pick<Sent, 'path'> & { authorization: string },
  happening: Happening,
  reached: { answer: Answer; applied: boolean } | undefined,
  { now, error, needsId, otherId }: { now: number; error?: unknown; needsId?: boolean; otherId?: string },
): WireAnswer {
  const family = familyOf(path);
  const { kind, status = 500, code = '' } = happening;
  const json = (seen: Seen, answer: Answer, headers: Record<string, string> = {}): WireAnswer => ({
    seen,
    status: answer.status,
    text: JSON.stringify(answer.body),
    headers: { ...JSON_TYPE, ...headers },
  });
  const own = reached?.answer ?? { status: 200, body: {} };
  // The service may refuse the request even if the simulator injects no fault.
  const seenOwn: Seen = own.status === 200 ? 'done' : own.status >= 500 ? 'unknown' : 'refused';
  // A success without the ID of the created record may belong to another request.
  const seenWithoutId: Seen = seenOwn === 'done' && needsId ? 'unknown' : seenOwn;
  switch (kind) {
    case 'refused':
      return json('refused', refusalAnswer(family, status, family === 'gateway' ? code : 3, 'Refused'));
    case 'echo':
      return json(
        'refused',
        refusalAnswer(
          family,
          400,
          family === 'gateway' ? '100' : 3,
          `Not valid: ${canariesOf(authorization).join(' and ')}`,
        ),
      );
    case 'busy':
      return json(
        'turnedAway',
        refusalAnswer(family, 429, usualCode(family, 429), 'Too many requests'),
        retryAfter(happening, now),
      );
    case 'serverError':
      return json(
        'unknown',
        refusalAnswer(family, status, usualCode(family, status), 'Service failure'),
        retryAfter(happening, now),
      );
    case 'truncated': {
      const text = JSON.stringify(reached ? own.body : { message: 'never read to the end' });
      return { seen: 'unknown', status: 200, text: text.slice(0, Math.ceil(text.length / 2)), headers: JSON_TYPE };
    }
    case 'page':
      return {
        seen: 'unknown',
        status: 502,
        text: '<html><h1>502 Bad gateway</h1></html>',
        headers: { 'content-type': 'text/html' },
      };
    case 'redirect':
      return { seen: 'unknown', status: 302, text: '', headers: { location: 'https://elsewhere.example.com/' } };
    case 'otherRefusal':
      return json('refused', { status: 200, body: refusalIn(code) });
    case 'emptyRecord':
      return json(
        seenWithoutId,
        seenOwn === 'done'
          ? { status: 200, body: family === 'gateway' ? { rcode: '000' } : { code: 0, message: 'Success', data: {} } }
          : own,
      );
    case 'textRecord':
      return json(
        seenWithoutId,
        seenOwn === 'done'
          ? {
              status: 200,
              body: family === 'gateway' ? { rcode: '000' } : { code: 0, message: 'Success', data: 'done' },
            }
          : own,
      );
    case 'swapped': {
      if (code === NO_AMOUNT) return json(seenOwn, { ...own, body: { ...own.body, amt_tran: undefined } });
      const body = seenOwn === 'done' ? withOther(own.body, code, otherId) : undefined;
      return body ? json('unknown', { status: 200, body }) : json(seenOwn, own);
    }
    case 'lacking':
    case 'stale': {
      const body = own.status === 200 ? lyingList(own.body, kind === 'stale' ? undefined : code) : undefined;
      return body ? json('unknown', { status: 200, body }) : json(seenOwn, own);
    }
    case 'unreadable':
      return json(seenOwn, seenOwn === 'done' ? { status: 200, body: unreadableList(own.body, code) } : own);
    default:
      return json(
        seenOwn,
        error !== undefined && seenOwn === 'done' ? { status: 200, body: withError(own.body, error) } : own,
      );
  }
}

/** Ways in which a list can be unreadable. */
export const UNREADABLE = [
  'text',
  'number',
  'nothing',
  'null',
  'nulls',
  'wrapper',
  'oneNull',
  'totals',
  'pages',
  'records',
] as const;

/** Changes a list so that it contains anything but records, or contradicts its totals. */
export function unreadableList(body: Record<string, unknown>, way: string): Record<string, unknown> {
  const { data, totalPages, totalRecords, ...rest } = body;
  const records = [data].flat();
  switch (way) {
    case 'text':
      return { ...rest, data: 'x' };
    case 'number':
      return { ...rest, data: 5 };
    case 'null':
      return { ...rest, data: null };
    case 'nulls':
      return { ...rest, data: [null, null] };
    case 'wrapper':
      return { ...rest, totalPages, totalRecords, data: { records } };
    case 'oneNull':
      return { ...rest, totalPages, totalRecords, data: [...records.slice(0, -1), null] };
    case 'totals':
      return { ...rest, data: [], totalPages: '1', totalRecords: '7' };
    case 'records':
      return { ...rest, data: [], totalRecords: 3 };
    case 'pages':
      return { ...rest, data: [], totalPages: 3 };
    default:
      return rest;
  }
}

/** Removes the amount from the response to a write, which the node may still count as done. */
export const NO_AMOUNT = 'noAmount';
/** Values of another payment in the response to a write. */
export const SWAPPED = ['amt_tran', 'customer_id', 'tran_currency', 'pg_id', NO_AMOUNT] as const;
const OTHERS: Record<string, unknown> = { customer_id: 'CUST9999', tran_currency: '392' };

/** Returns a response that shows a value of another payment, or `undefined` if it has no such field. */
function withOther(body: Record<string, unknown>, field: string, id?: string): Record<string, unknown> | undefined {
  const { [field]: own } = body;
  const other = field === 'amt_tran' ? Number(own) * 100 : field === 'pg_id' ? id : OTHERS[field];
  return own === undefined || other === undefined || other === own ? undefined : { ...body, [field]: other };
}

/** Fields that the records of a list may lack. */
export const LACKED = [
  ...(['pg_id_linked', 'merch_ref_num', 'purchase_id', 'card_number', 'cardholder_last_name'] as const),
  ...(['amt_tran', 'tran_currency', 'rcode', 'tran_status', 'request_type', 'merchant_id', 'customer_id'] as const),
];

/**
 * Returns a list without its newest record, or with records that lack a field. Returns `undefined` if the body contains
 * no list or an empty one. A list with one record contains the record itself.
 */
function lyingList(body: Record<string, unknown>, lacked?: string): Record<string, unknown> | undefined {
  const { totalRecords } = body;
  const data = [body.data ?? []].flat() as Array<Record<string, unknown>>;
  if (totalRecords === undefined || data.length === 0) return undefined;
  if (lacked !== undefined) return { ...body, data: data.map((record) => ({ ...record, [lacked]: undefined })) };
  return { ...body, data: data.slice(1), ...(typeof totalRecords === 'number' && { totalRecords: totalRecords - 1 }) };
}

function refusalIn(convention: string): Record<string, unknown> {
  switch (convention) {
    case 'rcode':
      return { rcode: '101', rmsg: 'Invalid id or key' };
    case 'rcodeNumber':
      return { rcode: 101, rmsg: 'Invalid id or key' };
    case 'code':
      return { code: 3, message: 'Not allowed' };
    case 'codeText':
      return { code: '3', message: 'Not allowed' };
    default:
      return { code: 0, message: 'Success', rcode: '101', rmsg: 'Invalid id or key' };
  }
}

function withError(body: Record<string, unknown>, error: unknown): Record<string, unknown> {
  const { data } = body;
  return typeof data === 'object' && data !== null ? { ...body, data: { ...data, error } } : { ...body, error };
}

function retryAfter({ retryAfter: seconds, asDate }: Happening, now: number): Record<string, string> {
  if (seconds === undefined) return {};
  const date = DateTime.fromMillis(now + seconds * 1000, { zone: 'utc' });
  return { 'retry-after': asDate ? (date.toHTTP() ?? '') : String(seconds) };
}

const STEPS: Record<string, string> = { ECONNREFUSED: 'connect', EHOSTUNREACH: 'connect', ENOTFOUND: 'getaddrinfo' };

/** Returns the error if a connection couldn't be opened. */
export function noConnection(code: string): Error {
  const syscall = STEPS[code];
  return Object.assign(new Error(`${syscall ?? 'tls'} ${code} api.example.com:443`), {
    code,
    ...(syscall !== undefined && { syscall }),
  });
}

export function brokenConnection(code: string): Error {
  const syscall = code === 'EPIPE' ? 'write' : 'read';
  return code === 'ERR_BAD_RESPONSE'
    ? Object.assign(new Error('stream has been aborted'), { code })
    : Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}
