import { asText, objectIn } from './objects';

/** Number of hexadecimal digits in the mark of a label, and in the user name of deliveries. */
const MARK_DIGITS = 12;
const USER_DIGITS = 16;

const MARK = new RegExp(`\\(n8n [0-9a-f]{${MARK_DIGITS}}\\)$`);
const USER = new RegExp(`^n8n[0-9a-f]{${USER_DIGITS}}$`);

/** Returns the end of the label of a trigger's webhook. */
export const markOf = (digest: string): string => `(n8n ${digest.slice(0, MARK_DIGITS)})`;

/** Returns the user name with which the service delivers events to a trigger. */
export const userNameOf = (digest: string): string => `n8n${digest.slice(0, USER_DIGITS)}`;

/**
 * Returns whether a trigger of this n8n or another one created a webhook. If a user changes the label, the user name
 * still identifies the webhook, and vice versa.
 */
export const isOfTrigger = (webhook: { label?: unknown; auth_settings?: unknown }): boolean =>
  MARK.test(asText(webhook.label).trim()) || USER.test(asText(objectIn(webhook.auth_settings).user_name));
