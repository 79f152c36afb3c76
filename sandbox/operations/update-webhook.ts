import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { invalidFields } from '../core/refusals';
import { checkWebhook } from '../webhooks/request';
import { findWebhook } from '../webhooks/subscribers';

/**
 * Replaces the submitted fields of a webhook, including the whole list of events (openapi.yaml#updateWebhook). The merchant
 * can't be changed (service.md#webhooks).
 */
export const updateWebhook: Handler<'updateWebhook'> = ({ environment, path, body: { webhook_node, ...fields } }) => {
  const webhook = findWebhook(environment, path.webhook_id);
  if (webhook_node !== undefined && webhook_node !== webhook.merchant_id)
    throw invalidFields({ webhook_node: 'can not be changed' });
  const settings = { ...webhook.settings, ...fields };
  checkWebhook(settings);
  webhook.settings = settings;
  return success({});
};
