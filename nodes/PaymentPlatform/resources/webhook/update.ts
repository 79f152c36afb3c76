import { operation } from '../../model/operation';
import { changing } from './change';
import {
  confirmTrigger,
  deliveryFields,
  notificationUrl,
  settingsProblem,
  webhookEvents,
  webhookId,
  webhookLabel,
} from './fields';
import * as wire from '../../wire/operations';

const { path, request } = wire.updateWebhook;

export const update = operation({
  value: 'update',
  name: 'Update',
  action: 'Update webhook',
  description: 'Update the URL, label, events or authentication of a webhook. Empty fields keep their current values.',
  request,
  fields: [
    webhookId(path.webhook_id),
    notificationUrl(false),
    webhookLabel(false),
    webhookEvents(
      "Events that the webhook will receive. The events replace all current events of the webhook. To add or remove a single event, use 'Add Event' or 'Remove Event'.",
    ),
    confirmTrigger(),
  ],
  additional: deliveryFields(),
  check: ({ body }) => [
    ...(Object.keys(body).length === 0
      ? [
          {
            label: 'Label',
            found: 'nothing',
            allowed: 'is required, unless you enter a value in another field',
          },
        ]
      : []),
    ...(body.auth_type === 'NONE' && body.auth_settings !== undefined ? [settingsProblem(body.auth_settings)] : []),
  ],
  steps: {
    sends: [request],
    each: [
      changing<'updateWebhook'>((webhook, { body }) => {
        const { auth_type: type = webhook.auth_type, auth_settings: settings } = body;
        const isBasic = type === 'BASIC';
        if (settings !== undefined && !isBasic)
          return {
            refuse:
              'The webhook has no authentication. To use "Authentication Settings", set "Authentication Type" to Basic',
          };
        if (isBasic && settings === undefined && webhook.auth_type !== 'BASIC')
          return { refuse: 'The Authentication Type "Basic" requires "Authentication Settings", so nothing was sent' };
        return { request: { to: request, body } };
      }),
    ],
  },
  present: (_, values) => ({ webhook_id: values.path.webhook_id, updated_fields: Object.keys(values.body) }),
  summary: (_, values) => `Updated webhook ${values.path.webhook_id}.`,
  lookUp: 'Repeating the same update has no further effect.',
});
