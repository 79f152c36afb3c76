import { randomBytes } from 'node:crypto';

import type { DateTime } from 'luxon';

import type { Webhook } from '../state/records';

/** Generates a secret of 32 characters, the service's maximum (service.md#webhooks). */
export const newSecurityKey = (): string => randomBytes(24).toString('base64');

/** Gives a webhook a new secret. Deliveries are also signed with the previous secret until the overlap ends. */
export function rotateSecurityKey(webhook: Webhook, overlapEnds: DateTime): void {
  webhook.former = { key: webhook.security_key, until: overlapEnds };
  webhook.security_key = newSecurityKey();
}

/** Returns the secrets that sign at a given time: the current one and, during a rotation, the previous one. */
export function signingKeys({ security_key, former }: Webhook, now: DateTime): string[] {
  return former && former.until > now ? [security_key, former.key] : [security_key];
}
