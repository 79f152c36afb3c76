import { randomBytes } from 'node:crypto';

import type { DateTime } from 'luxon';

import type { Webhook } from '../state/records';

/** Generates a secret of 32 characters, which is the service's maximum length (service.md#webhooks). */
export const newSecurityKey = (): string => randomBytes(24).toString('base64');

/**
 * Gives a webhook a new secret. Until the overlap ends, deliveries also contain a signature with the previous secret.
 */
export function rotateSecurityKey(webhook: Webhook, overlapEnds: DateTime): void {
  webhook.former = { key: webhook.security_key, until: overlapEnds };
  webhook.security_key = newSecurityKey();
}

/**
 * Returns the secrets that sign deliveries at the time `now`. During a rotation, returns the current and the previous
 * secret.
 */
export function signingKeys({ security_key, former }: Webhook, now: DateTime): string[] {
  return former && former.until > now ? [security_key, former.key] : [security_key];
}
