import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { checkWebhook } from '../webhooks/request';
import { findWebhook } from '../webhooks/subscribers';

/** Replaces a webhook's submitted fields. A submitted list of events replaces all events. */
export const updateWebhook: Handler<'updateWebhook'> = ({ environment, path, body }) => {
  const webhook = findWebhook(environment, path.webhook_id);
  const settings = { ...webhook.settings, ...body };
  checkWebhook(settings);
  webhook.settings = settings;
  return success({});
};
