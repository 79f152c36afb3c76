import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { platformMerchant } from '../rules/merchants';
import type { Webhook } from '../state/records';
import { webhookView } from '../views/webhooks';
import { checkWebhook } from '../webhooks/request';
import { newSecurityKey } from '../webhooks/secret';

/** Registers a webhook. Only this response contains its security_key. */
export const addWebhook: Handler<'addWebhook'> = ({ environment, body: { webhook_node, ...settings } }) => {
  checkWebhook(settings);
  const webhook: Webhook = {
    webhook_id: environment.ids.nextNumber('webhook', 21_001),
    merchant_id: platformMerchant(environment, webhook_node),
    settings,
    status: 'ACTIVE',
    security_key: newSecurityKey(),
    created: environment.clock.now(),
  };
  environment.webhooks.set(webhook.webhook_id, webhook);
  return success({ ...webhookView(webhook), security_key: webhook.security_key });
};
