import { Agent } from 'node:http';

import axios from 'axios';

import type { Webhook } from '../state/records';
import { isLoopback } from './request';
import { SIGNATURE_HEADER, signatures } from './signature';

/** Changes that make a delivery invalid, so that tests can check its refusal. */
export interface Forgery {
  withoutSignature?: boolean;
  /** Whether to sign with another key. */
  wrongSignature?: boolean;
  /** Key to sign with, for example a previous one. */
  secret?: string;
  withoutAuthorization?: boolean;
  wrongPassword?: boolean;
  /** Whether to change the body after signing. */
  alterBody?: boolean;
  /** Bytes to sign and send instead of the body. */
  rawBody?: string;
  /** Header for the signature. */
  headerName?: string;
}

/** A prepared HTTP request to a webhook. Can be sent repeatedly. */
export interface Posting {
  url: string;
  body: Buffer;
  headers: Record<string, string>;
  /** Whether the request has a signature, valid or not. */
  signed: boolean;
  /** Whether a test changed the request. A forged request doesn't count as sent by the service. */
  forged: boolean;
}

/** Opens a new connection for each attempt, so that a connection closed by the receiver doesn't count as a failure. */
const AGENT = new Agent({ keepAlive: false });

/**
 * Builds the request that delivers a body, signed with all secrets. Applies the changes of a forged delivery, if any.
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
 * Sends a request once, and only to this machine. Does not follow redirects.
 * @param stopped aborts the attempt.
 * @returns the HTTP status, or 0 without a response in time.
 */
export async function post(
  { url, body, headers }: Posting,
  timeoutMilliseconds: number,
  stopped: AbortSignal,
): Promise<number> {
  if (!isLoopback(url) || stopped.aborted) return 0;
  // In Node.js 20, signals from AbortSignal.any and AbortSignal.timeout may be garbage collected before the timeout.
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
