import { GatewayRefusal, PlatformRefusal } from './refusals';

export type Family = 'gateway' | 'platform';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Wraps data in the platform's success envelope (openapi.yaml#PlatformEnvelope). */
export function success<Data>(data: Data) {
  return { code: 0, message: 'Success', data };
}

/** Returns "gateway" for paths below /pg and "platform" for other paths. */
export function familyOf(path: string): Family {
  return path === '/pg' || path.startsWith('/pg/') ? 'gateway' : 'platform';
}

const SERVICE_FAILURE = 'Service failure';

/** Builds an error response with `rcode` for the gateway or `code` for the platform. */
export function refusalAnswer(family: Family, status: number, code: string | number, message: string): Answer {
  const body =
    family === 'gateway' ? { rcode: String(code), rmsg: message } : { code: Number(code), message, data: {} };
  return { status, body };
}

/** Returns the default error code for an HTTP status (service.md#codes). */
export function usualCode(family: Family, status: number): string | number {
  const table: Record<Family, Record<number, string | number>> = {
    gateway: { 400: '100', 401: '101', 402: '005', 409: '402', 504: '998', 509: '998' },
    platform: { 400: 2, 401: 11, 403: 6, 404: 7 },
  };
  return table[family][status] ?? (family === 'gateway' ? '999' : 99);
}

/** Converts an error to an error response. An unexpected error becomes a service failure. */
export function answerOfError(family: Family, error: unknown): Answer {
  if (error instanceof GatewayRefusal) {
    const body: Record<string, unknown> = { rcode: error.rcode, rmsg: error.message };
    if (error.pg_id !== undefined) body.pg_id = error.pg_id;
    return { status: error.httpStatus, body };
  }
  if (error instanceof PlatformRefusal)
    return { status: error.httpStatus, body: { code: error.code, message: error.message, data: error.fields } };
  return refusalAnswer(family, 500, usualCode(family, 500), SERVICE_FAILURE);
}
