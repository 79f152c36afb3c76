import axios from 'axios';

import type { Webhook } from '../state/records';
import { isLoopback } from './request';
import { SIGNATURE_HEADER, signatures } from './signature';

const TIMEOUT_MS = 10_000;

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
  /** Sends these bytes in place of the body. */
  rawBody?: string;
  /** Signs in this header. */
  headerName?: string;
}

/**
 * Posts a body to a webhook once. Redirects are not followed.
 * @returns the HTTP status, or 0 when there was no answer.
 */
export async function post(webhook: Webhook, secrets: string[], body: Buffer, forgery: Forgery = {}): Promise<number> {
  // The sandbox talks to this machine only; elsewhere nobody answers.
  if (!isLoopback(webhook.request.notification_url)) return 0;
  const signed = forgery.rawBody === undefined ? body : Buffer.from(forgery.rawBody);
  const sent = forgery.alterBody ? Buffer.from(signed.toString().replace(/}$/, ',"altered":true}')) : signed;
  try {
    const { status } = await axios.post(webhook.request.notification_url, sent, {
      headers: {
        'content-type': 'application/json',
        ...signatureHeader(secrets, signed, forgery),
        ...authorizationHeader(webhook, forgery),
      },
      timeout: TIMEOUT_MS,
      maxRedirects: 0,
      proxy: false,
      validateStatus: () => true,
      responseType: 'text',
    });
    return status;
  } catch {
    return 0;
  }
}

function signatureHeader(secrets: string[], body: Buffer, forgery: Forgery): Record<string, string> {
  if (forgery.withoutSignature) return {};
  const keys = forgery.wrongSignature ? ['not the key'] : forgery.secret === undefined ? secrets : [forgery.secret];
  return { [forgery.headerName ?? SIGNATURE_HEADER]: signatures(keys, body) };
}

function authorizationHeader({ request }: Webhook, forgery: Forgery): Record<string, string> {
  if (request.auth_type !== 'BASIC' || forgery.withoutAuthorization) return {};
  const { user_name = '', user_password = '' } = request.auth_settings ?? {};
  const password = forgery.wrongPassword ? `${user_password}x` : user_password;
  return { authorization: `Basic ${Buffer.from(`${user_name}:${password}`).toString('base64')}` };
}
