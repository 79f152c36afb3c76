import { asText, objectIn } from './objects';

const MARK_DIGITS = 12;
const USER_DIGITS = 16;

const MARK = new RegExp(`\\(n8n [0-9a-f]{${MARK_DIGITS}}\\)$`);
const USER = new RegExp(`^n8n[0-9a-f]{${USER_DIGITS}}$`);

/** Returns the suffix that identifies a trigger's webhook by its label. */
export const markOf = (digest: string): string => `(n8n ${digest.slice(0, MARK_DIGITS)})`;

/** Returns the user name with which the payment service authenticates its events to a trigger. */
export const userNameOf = (digest: string): string => `n8n${digest.slice(0, USER_DIGITS)}`;

/** Returns whether an n8n trigger created the webhook. Checks the label, which users can change, and the user name. */
export const isOfTrigger = (webhook: { label?: unknown; auth_settings?: unknown }): boolean =>
  MARK.test(asText(webhook.label).trim()) || USER.test(asText(objectIn(webhook.auth_settings).user_name));
