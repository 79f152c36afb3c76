import { Agent } from 'node:http';

import axios from 'axios';

import type { Webhook } from '../state/records';
import { isLoopback } from './request';
import { SIGNATURE_HEADER, signatures } from './signature';

/** Changes that invalidate a delivery, so that tests can check whether a receiver refuses it. */
export interface Forgery {
  withoutSignature?: boolean;
  wrongSignature?: boolean;
  secret?: string;
  withoutAuthorization?: boolean;
  wrongPassword?: boolean;
  alterBody?: boolean;
  /** Text to sign and send instead of the body. */
  rawBody?: string;
  headerName?: string;
}

/** Prepared HTTP request to a webhook, reusable by several attempts. */
export interface Posting {
  url: string;
  body: Buffer;
  headers: Record<string, string>;
  signed: boolean;
  forged: boolean;
}

/** Opens a connection for each attempt, because the receiver may have closed an earlier connection. */
const AGENT = new Agent({ keepAlive: false });

/** Builds a delivery's HTTP request, signed with all secrets. */
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
 * Sends a request once, only to this machine, and follows no redirects.
 * @returns the HTTP status, or 0 if unanswered.
 */
export async function post(
  { url, body, headers }: Posting,
  timeoutMilliseconds: number,
  stopped: AbortSignal,
): Promise<number> {
  if (!isLoopback(url) || stopped.aborted) return 0;
  // Uses a controller and a timer, because Node.js 20 may garbage-collect the signals of AbortSignal.any and
  // AbortSignal.timeout.
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
