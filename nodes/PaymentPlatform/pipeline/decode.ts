import { DateTime } from 'luxon';
import { isObject } from './objects';
import { gatewayFailure, platformFailure, statusFailure, unreadableFailure } from './failures';
import type { Answer, Family } from './types';

/** What came back over HTTP; `body` is the text as it was received. */
export interface RawResponse {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/**
 * Decodes an answer by its family's envelope (interface.md sections 1 and 7) at any HTTP status: the body's own code
 * decides, the status only where the body has none. An answer that can't be read is an unknown outcome.
 */
export function decode(family: Family, response: RawResponse): Answer {
  const body = parseJson(response.body);
  const answer = isObject(body) ? decodeObject(family, body, response.status) : decodeOther(response.status);
  if (!answer.ok) answer.failure.retryAfterMs = retryAfterMs(response.headers['retry-after']);
  return answer;
}

function decodeOther(status: number): Answer {
  return { ok: false, failure: status >= 200 && status < 300 ? unreadableFailure(status) : statusFailure(status) };
}

function decodeObject(family: Family, body: Record<string, unknown>, status: number): Answer {
  if (typeof body.rcode === 'string' && (family === 'gateway' || family === 'any'))
    return body.rcode === '000' && status < 300
      ? { ok: true, record: body }
      : { ok: false, failure: gatewayFailure(body, status) };
  if (
    typeof body.code === 'number' &&
    (family === 'platform' || family === 'any' || (family === 'bare' && body.code !== 0))
  )
    return body.code === 0 && status < 300
      ? platformSuccess(body)
      : { ok: false, failure: platformFailure(body, status) };
  if (status >= 300) return { ok: false, failure: statusFailure(status) };
  return family === 'bare' || family === 'any'
    ? { ok: true, record: body }
    : { ok: false, failure: unreadableFailure(status) };
}

function platformSuccess(body: Record<string, unknown>): Answer {
  const { data, totalPages, totalRecords, ...rest } = body;
  return {
    ok: true,
    record: data === undefined ? rest : data,
    ...(typeof totalPages === 'number' && { totalPages }),
    ...(typeof totalRecords === 'number' && { totalRecords }),
  };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

/** Retry-After as seconds or as an HTTP date, in milliseconds from now. */
function retryAfterMs(header: unknown): number | undefined {
  if (typeof header !== 'string' && typeof header !== 'number') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const moment = DateTime.fromHTTP(String(header));
  return moment.isValid ? Math.max(0, moment.toMillis() - Date.now()) : undefined;
}
