import { randomBytes } from 'node:crypto';

import type { DateTime } from 'luxon';

import type { Webhook } from '../state/records';

/** Generates a secret of the maximum length, 32 characters (service.md#webhooks). */
export const newSecurityKey = (): string => randomBytes(24).toString('base64');

/** Gives a webhook a new secret. Until the overlap ends, both secrets sign deliveries. */
export function rotateSecurityKey(webhook: Webhook, overlapEnds: DateTime): void {
  webhook.former = { key: webhook.security_key, until: overlapEnds };
  webhook.security_key = newSecurityKey();
}

/** Returns the secrets that sign deliveries. During a rotation, returns the current and the previous secret. */
export function signingKeys({ security_key, former }: Webhook, now: DateTime): string[] {
  return former && former.until > now ? [security_key, former.key] : [security_key];
}
