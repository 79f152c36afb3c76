import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { findWebhook } from '../webhooks/subscribers';

/** Disables a webhook, so that its deliveries wait. */
export const disableWebhook: Handler<'disableWebhook'> = ({ environment, path }) => {
  findWebhook(environment, path.webhook_id).status = 'DISABLED';
  return success({});
};
