import { createHmac } from 'node:crypto';

/**
 * Signature header of the sandbox. In the service, the part between `x-` and `-webhook-signature` is the vendor's name
 * (service.md#deliveries).
 */
export const SIGNATURE_HEADER = 'x-sandbox-webhook-signature';

/** Returns the Base64 HMAC-SHA256 of the exact bytes for each secret, joined by commas during a rotation. */
export function signatures(secrets: string[], bytes: Buffer): string {
  return secrets.map((secret) => createHmac('sha256', secret).update(bytes).digest('base64')).join(',');
}
