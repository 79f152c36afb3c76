import { timingSafeEqual } from 'node:crypto';

import type { SandboxCredentials } from '../state/environment';

function equals(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Returns whether a Basic authorization header contains the API key (service.md#authentication). A merchant ID must
 * match the key.
 */
export function isAuthorized(header: string | undefined, credentials: SandboxCredentials): boolean {
  const encoded = /^basic\s+([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return false;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  const user = colon < 0 ? decoded : decoded.slice(0, colon);
  const password = colon < 0 ? '' : decoded.slice(colon + 1);
  const keyAsPassword = equals(password, credentials.apiKey) && (user === '' || user === credentials.merchantId);
  const keyAsUser = equals(user, credentials.apiKey) && (password === '' || password === credentials.merchantId);
  return keyAsPassword || keyAsUser;
}
