import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { webhookView } from '../views/webhooks';
import { findWebhook } from '../webhooks/subscribers';

/** Returns a webhook without its secrets (openapi.yaml#getWebhook). */
export const getWebhook: Handler<'getWebhook'> = ({ environment, path }) =>
  success(webhookView(findWebhook(environment, path.webhook_id)));
