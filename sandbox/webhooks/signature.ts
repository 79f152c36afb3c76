import { createHmac } from 'node:crypto';

/**
 * Name of the signature header in the sandbox. In the service, the vendor's name replaces `sandbox`
 * (service.md#deliveries).
 */
export const SIGNATURE_HEADER = 'x-sandbox-webhook-signature';

/**
 * Returns the signature of a body: the Base64 HMAC-SHA256 of the exact bytes. During a rotation, returns one signature
 * for each secret, separated by commas.
 */
export function signatures(secrets: string[], bytes: Buffer): string {
  return secrets.map((secret) => createHmac('sha256', secret).update(bytes).digest('base64')).join(',');
}
