import { operation } from '../../model/operation';
import { changing } from './change';
import { confirmTrigger, webhookId } from './fields';
import * as wire from '../../wire/operations';

const { enableWebhook, disableWebhook } = wire;

export const switchOn = operation({
  value: 'enable',
  name: 'Enable',
  action: 'Enable webhook',
  description:
    'Enable a webhook that a user disabled or the service suspended. The service then sends the held notifications that have not expired.',
  request: enableWebhook.request,
  fields: [webhookId(enableWebhook.path.webhook_id), confirmTrigger()],
  steps: {
    sends: [enableWebhook.request],
    each: [
      changing<'enableWebhook'>((webhook) =>
        webhook.status === 'ACTIVE' ? { done: webhook } : { request: { to: enableWebhook.request } },
      ),
    ],
  },
  present: (_, { path }) => ({ webhook_id: path.webhook_id, status: 'ACTIVE' }),
  summary: (_, values, came) =>
    came === 'unchanged'
      ? `Nothing was sent, because webhook ${values.path.webhook_id} is already active.`
      : `Enabled webhook ${values.path.webhook_id}.`,
  lookUp: 'Enabling the same webhook again has no further effect.',
});

export const switchOff = operation({
  value: 'disable',
  name: 'Disable',
  action: 'Disable webhook',
  description: 'Disable a webhook. The service holds queued notifications and stops creating new notifications.',
  request: disableWebhook.request,
  fields: [webhookId(disableWebhook.path.webhook_id), confirmTrigger()],
  steps: {
    sends: [disableWebhook.request],
    each: [
      changing<'disableWebhook'>((webhook) =>
        webhook.status === 'DISABLED' ? { done: webhook } : { request: { to: disableWebhook.request } },
      ),
    ],
  },
  present: (_, { path }) => ({ webhook_id: path.webhook_id, status: 'DISABLED' }),
  summary: (_, values, came) =>
    came === 'unchanged'
      ? `Nothing was sent, because webhook ${values.path.webhook_id} is already disabled.`
      : `Disabled webhook ${values.path.webhook_id}.`,
  lookUp: 'Disabling the same webhook again has no further effect.',
});
