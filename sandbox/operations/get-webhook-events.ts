import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { findWebhook, namedEvents } from '../webhooks/subscribers';

export const getWebhookEvents: Handler<'getWebhookEvents'> = ({ environment, path }) =>
  success({ events: namedEvents(findWebhook(environment, path.webhook_id)) });
