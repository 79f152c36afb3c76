import { createHmac } from 'node:crypto';

/**
 * The header in which the sandbox signs; the name between `x-` and `-webhook-signature` is the vendor's
 * (service.md#deliveries).
 */
export const SIGNATURE_HEADER = 'x-sandbox-webhook-signature';

/** Base64 HMAC-SHA256 over the exact bytes for each secret, joined by commas while a secret is being rotated. */
export function signatures(secrets: string[], bytes: Buffer): string {
  return secrets.map((secret) => createHmac('sha256', secret).update(bytes).digest('base64')).join(',');
}
