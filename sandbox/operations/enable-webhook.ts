import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { findWebhook } from '../webhooks/subscribers';

export const enableWebhook: Handler<'enableWebhook'> = ({ environment, path }) => {
  const webhook = findWebhook(environment, path.webhook_id);
  const held = webhook.status !== 'ACTIVE';
  webhook.status = 'ACTIVE';
  if (held) environment.resume(webhook.webhook_id);
  return success({});
};
