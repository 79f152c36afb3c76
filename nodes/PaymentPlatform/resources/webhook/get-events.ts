import { operation } from '../../model/operation';
import { webhookId } from './fields';
import * as wire from '../../wire/operations';

export const getEvents = operation({
  value: 'getEvents',
  name: 'Get Events',
  action: 'Get events of webhook',
  description: 'Retrieve the names of the events of a webhook',
  request: wire.getWebhookEvents.request,
  fields: [webhookId(wire.getWebhookEvents.path.webhook_id)],
  present: (record, { path }) => ({ webhook_id: path.webhook_id, ...record }),
});
