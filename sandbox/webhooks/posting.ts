import { Agent } from 'node:http';

import axios from 'axios';

import type { Webhook } from '../state/records';
import { isLoopback } from './request';
import { SIGNATURE_HEADER, signatures } from './signature';

/** Changes that invalidate a delivery, so that tests can check whether a receiver refuses the delivery. */
export interface Forgery {
  withoutSignature?: boolean;
  /** Whether to sign with an invalid key. */
  wrongSignature?: boolean;
  /** Key that signs the delivery, for example a previous secret. */
  secret?: string;
  withoutAuthorization?: boolean;
  wrongPassword?: boolean;
  /** Whether to change the body after signing. */
  alterBody?: boolean;
  /** Text to sign and send instead of the body. */
  rawBody?: string;
  /** Name of the signature header. */
  headerName?: string;
}

/** Prepared HTTP request to a webhook. Each attempt can send the same request again. */
export interface Posting {
  url: string;
  body: Buffer;
  headers: Record<string, string>;
  /** Whether the request has a signature, which may be invalid. */
  signed: boolean;
  /** Whether a test changed the request. A forged request doesn't represent a delivery of the service. */
  forged: boolean;
}

/**
 * Opens a new connection for each attempt. A reused connection could fail because the receiver closed the connection.
 */
const AGENT = new Agent({ keepAlive: false });

/**
 * Builds a request that delivers a body. Signs the body with all secrets and applies the changes of a forged delivery.
 */
export function posting(webhook: Webhook, secrets: string[], body: Buffer, forgery: Forgery = {}): Posting {
  const bytes = forgery.rawBody === undefined ? body : Buffer.from(forgery.rawBody);
  const signature = signatureHeader(secrets, bytes, forgery);
  return {
    url: webhook.settings.notification_url,
    body: forgery.alterBody ? Buffer.from(bytes.toString().replace(/}$/, ',"altered":true}')) : bytes,
    headers: { 'content-type': 'application/json', ...signature, ...authorizationHeader(webhook, forgery) },
    signed: Object.keys(signature).length > 0,
    forged: Object.values(forgery).some((change) => change !== undefined && change !== false),
  };
}

/**
 * Sends a request once and only to this machine, without following redirects.
 * @param stopped aborts the attempt.
 * @returns the HTTP status, or 0 if the receiver doesn't respond in time.
 */
export async function post(
  { url, body, headers }: Posting,
  timeoutMilliseconds: number,
  stopped: AbortSignal,
): Promise<number> {
  if (!isLoopback(url) || stopped.aborted) return 0;
  // Uses a controller and a timer, because Node.js 20 may collect the signals of AbortSignal.any and
  // AbortSignal.timeout before the timeout.
  const tried = new AbortController();
  const giveUp = () => tried.abort();
  const timer = setTimeout(giveUp, timeoutMilliseconds);
  stopped.addEventListener('abort', giveUp);
  try {
    const { status } = await axios.post(url, body, {
      headers,
      signal: tried.signal,
      maxRedirects: 0,
      proxy: false,
      httpAgent: AGENT,
      validateStatus: () => true,
      responseType: 'text',
    });
    return status;
  } catch {
    return 0;
  } finally {
    clearTimeout(timer);
    stopped.removeEventListener('abort', giveUp);
  }
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

function signatureHeader(secrets: string[], body: Buffer, forgery: Forgery): Record<string, string> {
  if (forgery.withoutSignature) return {};
  const keys = forgery.wrongSignature ? ['not the key'] : forgery.secret === undefined ? secrets : [forgery.secret];
  return { [forgery.headerName ?? SIGNATURE_HEADER]: signatures(keys, body) };
}

function authorizationHeader({ settings }: Webhook, forgery: Forgery): Record<string, string> {
  if (settings.auth_type !== 'BASIC' || forgery.withoutAuthorization) return {};
  const { user_name = '', user_password = '' } = settings.auth_settings ?? {};
  const password = forgery.wrongPassword ? `${user_password}x` : user_password;
  return { authorization: `Basic ${Buffer.from(`${user_name}:${password}`).toString('base64')}` };
}
