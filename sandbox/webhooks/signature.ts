import { createHmac } from 'node:crypto';

/** Name of the signature header. The service uses the vendor's name instead of `sandbox` (service.md#deliveries). */
export const SIGNATURE_HEADER = 'x-sandbox-webhook-signature';

/**
 * Returns a body's Base64 HMAC-SHA256. During a rotation, returns one signature for each secret, separated by commas.
 */
export function signatures(secrets: string[], bytes: Buffer): string {
  return secrets.map((secret) => createHmac('sha256', secret).update(bytes).digest('base64')).join(',');
}
