import { operation } from '../../model/operation';
import { mainWebhookFields, webhookId, withOwner } from './fields';
import * as wire from '../../wire/operations';

export const get = operation({
  value: 'get',
  name: 'Get',
  action: 'Get webhook',
  description: 'Retrieve a webhook without its security key',
  request: wire.getWebhook.request,
  fields: [webhookId(wire.getWebhook.path.webhook_id)],
  present: withOwner,
  simplified: mainWebhookFields,
  addedBySimplify: ['belongs_to_trigger'],
});
