import { asText, objectIn } from './objects';

const MARK_DIGITS = 12;
const USER_DIGITS = 16;

const MARK = new RegExp(`\\(n8n [0-9a-f]{${MARK_DIGITS}}\\)$`);
const USER = new RegExp(`^n8n[0-9a-f]{${USER_DIGITS}}$`);

/** Suffix of a label that identifies a trigger's webhook. */
export const markOf = (digest: string): string => `(n8n ${digest.slice(0, MARK_DIGITS)})`;

/** The payment service authenticates its events to a trigger with this user name. */
export const userNameOf = (digest: string): string => `n8n${digest.slice(0, USER_DIGITS)}`;

/** Checks the label, which users can change, and the user name. */
export const isOfTrigger = (webhook: { label?: unknown; auth_settings?: unknown }): boolean =>
  MARK.test(asText(webhook.label).trim()) || USER.test(asText(objectIn(webhook.auth_settings).user_name));
