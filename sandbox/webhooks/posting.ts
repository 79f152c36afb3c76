import { Agent } from 'node:http';

import axios from 'axios';

import type { Webhook } from '../state/records';
import { isLoopback } from './request';
import { SIGNATURE_HEADER, signatures } from './signature';

/** What a test changes about a delivery to see it refused. */
export interface Forgery {
  withoutSignature?: boolean;
  /** Signs with another key. */
  wrongSignature?: boolean;
  /** Signs with this key, e.g. one that was rotated out. */
  secret?: string;
  withoutAuthorization?: boolean;
  wrongPassword?: boolean;
  /** Changes the body after signing. */
  alterBody?: boolean;
  /** Signs and sends these bytes in place of the body. */
  rawBody?: string;
  /** Signs in this header. */
  headerName?: string;
}

/** One HTTP request to a webhook, ready to be sent: once, or again as it is. */
export interface Posting {
  url: string;
  body: Buffer;
  headers: Record<string, string>;
  /** Whether it carries a signature, right or wrong. */
  signed: boolean;
  /** Whether a test changed it: it then does not come from the service. */
  forged: boolean;
}

/** A connection of its own for each try: one that the other side closed in between must not count as a failure. */
const AGENT = new Agent({ keepAlive: false });

/** The request that delivers a body, signed with every one of the secrets; forged as a test wants it. */
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
 * Sends a request once, to this machine only: elsewhere nobody answers. Redirects are not followed.
 * @param stopped ends the try at once.
 * @returns the HTTP status, or 0 when there was no answer in time.
 */
export async function post(
  { url, body, headers }: Posting,
  timeoutMilliseconds: number,
  stopped: AbortSignal,
): Promise<number> {
  if (!isLoopback(url) || stopped.aborted) return 0;
  // Not AbortSignal.any with AbortSignal.timeout: Node.js 20 may collect the two before the time is over.
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
