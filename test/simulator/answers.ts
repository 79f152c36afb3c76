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
  { now, error }: { now: number; error?: unknown },
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
        seenOwn,
        seenOwn === 'done'
          ? { status: 200, body: family === 'gateway' ? { rcode: '000' } : { code: 0, message: 'Success', data: {} } }
          : own,
      );
    case 'textRecord':
      return json(
        seenOwn,
        seenOwn === 'done'
          ? {
              status: 200,
              body: family === 'gateway' ? { rcode: '000' } : { code: 0, message: 'Success', data: 'done' },
            }
          : own,
      );
    default:
      return json(
        seenOwn,
        error !== undefined && seenOwn === 'done' ? { status: 200, body: withError(own.body, error) } : own,
      );
  }
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

/** Returns the error for a broken connection. */
export function brokenConnection(code: string): Error {
  const syscall = code === 'EPIPE' ? 'write' : 'read';
  return code === 'ERR_BAD_RESPONSE'
    ? Object.assign(new Error('stream has been aborted'), { code })
    : Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}
