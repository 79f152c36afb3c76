import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { changeEvents } from '../webhooks/event-changes';
import { findWebhook } from '../webhooks/subscribers';

export const deleteWebhookEvent: Handler<'deleteWebhookEvent'> = ({ environment, path }) =>
  success(changeEvents(findWebhook(environment, path.webhook_id), 'remove', path.event));
