import { randomBytes } from 'node:crypto';

import type { DateTime } from 'luxon';

import type { Webhook } from '../state/records';

/** A secret of 32 characters, the longest that the service has (service.md#webhooks). */
export const newSecurityKey = (): string => randomBytes(24).toString('base64');

/** Gives a webhook a new secret; the one before it signs too until the overlap ends. */
export function rotateSecurityKey(webhook: Webhook, overlapEnds: DateTime): void {
  webhook.former = { key: webhook.security_key, until: overlapEnds };
  webhook.security_key = newSecurityKey();
}

/** The secrets that sign at a moment: the current one, and during a rotation the one before it. */
export function signingKeys({ security_key, former }: Webhook, now: DateTime): string[] {
  return former && former.until > now ? [security_key, former.key] : [security_key];
}
