import { asText, objectIn } from './objects';

/** Number of hexadecimal digits in the suffix of a webhook's label. */
const MARK_DIGITS = 12;
const USER_DIGITS = 16;

const MARK = new RegExp(`\\(n8n [0-9a-f]{${MARK_DIGITS}}\\)$`);
const USER = new RegExp(`^n8n[0-9a-f]{${USER_DIGITS}}$`);

/** Returns the suffix for the label of a trigger's webhook. */
export const markOf = (digest: string): string => `(n8n ${digest.slice(0, MARK_DIGITS)})`;

/** Returns the user name that the service sends with events to a trigger. */
export const userNameOf = (digest: string): string => `n8n${digest.slice(0, USER_DIGITS)}`;

/**
 * Returns whether a trigger of any n8n instance created the webhook. If a user changes the webhook's label, the user
 * name still identifies the webhook, and vice versa.
 */
export const isOfTrigger = (webhook: { label?: unknown; auth_settings?: unknown }): boolean =>
  MARK.test(asText(webhook.label).trim()) || USER.test(asText(objectIn(webhook.auth_settings).user_name));
