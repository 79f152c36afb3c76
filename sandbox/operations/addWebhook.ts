import { randomBytes } from 'node:crypto';

import type { Handler } from '../core/call';
import { success } from '../core/envelopes';
import { invalidFields } from '../core/refusals';
import { platformMerchant } from '../rules/merchants';
import type { Webhook } from '../state/records';
import { webhookView } from '../views/webhooks';

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];

/** Registers a webhook; its security_key is shown in this answer only (interface.md section 2.13). */
export const addWebhook: Handler<'addWebhook'> = ({ environment, body }) => {
  if (!isNotificationUrl(body.notification_url)) {
    throw invalidFields({ notification_url: 'must be an https URL (http is taken for this machine only)' });
  }
  const webhook: Webhook = {
    webhook_id: environment.ids.nextNumber('webhook', 21_001),
    merchant_id: platformMerchant(environment, body.webhook_node),
    request: body,
    status: 'ACTIVE',
    // 24 bytes are 32 characters of base64, the longest a secret may be.
    security_key: randomBytes(24).toString('base64'),
  };
  environment.webhooks.set(webhook.webhook_id, webhook);
  return success({ ...webhookView(webhook), security_key: webhook.security_key });
};

function isNotificationUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname));
}
