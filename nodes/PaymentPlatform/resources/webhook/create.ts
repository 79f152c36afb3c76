import type { IDataObject } from 'n8n-workflow';

import { boolean, choice } from '../../fields/kinds/choice';
import { group } from '../../fields/kinds/group';
import { eventList } from '../../fields/events';
import { emailList } from '../../fields/kinds/multiple-values';
import { text } from '../../fields/kinds/text';
import { operation } from '../../model/operation';
import type { FieldValues } from '../../model/types';
import { asText, objectIn } from '../../shared/objects';
import { webhookFootprint } from './footprint';
import * as wire from '../../wire/operations';

export const create = operation({
  value: 'create',
  name: 'Create',
  action: 'Create webhook',
  description:
    "Register a URL that the service notifies of events. The Payment Platform Trigger node registers its own URL, so you don't need this operation for the trigger.",
  request: wire.addWebhook.request,
  fields: [
    text({
      ...wire.addWebhook.body.notification_url,
      label: 'Notification URL',
      description: 'URL that the service notifies. The URL must start with https:// (http:// on this computer only).',
      placeholder: 'e.g. https://n8n.example.com/webhook/payments',
      pattern: {
        matches: /^(https:\/\/|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(\/|$))\S*$/i,
        allowed: 'must be a URL that starts with https:// (http:// on this computer only)',
      },
    }),
    text({
      ...wire.addWebhook.body.label,
      label: 'Label',
      notIdentifying: true,
      description: 'Name of the webhook in the merchant portal',
      placeholder: 'e.g. Paid invoices to CRM',
    }),
    eventList({
      ...wire.addWebhook.body.events,
      label: 'Events',
      description:
        "Events for which the service sends notifications. Select at least one. To add an event that is not in the list, use 'Other Event Names'.",
    }),
  ],
  additional: [
    text({
      ...wire.addWebhook.body.webhook_node,
      technical: true,
      label: 'Watched Merchant ID',
      description: 'Merchant or merchant group to watch. Defaults to the merchant of the API key.',
      placeholder: 'e.g. 123456789012',
    }),
    boolean({
      name: 'returnSecurityKey',
      label: 'Return Security Key',
      description:
        'Whether to return the key that verifies the origin of notifications. The service shows the key only once. If this is on, n8n stores the key with the execution data.',
      place: 'node',
    }),
    emailList({
      ...wire.addWebhook.body.email_address,
      label: 'Email Addresses',
      description: 'Email addresses to notify if the service suspends the webhook, separated by commas',
    }),
    choice({
      ...wire.addWebhook.body.auth_type,
      label: 'Authentication Type',
      description: 'Authentication that the service uses for its notifications',
      options: [
        { name: 'Basic', value: 'BASIC' },
        { name: 'None', value: 'NONE' },
      ],
    }),
    group({
      ...wire.addWebhook.body.auth_settings,
      label: 'Authentication Settings',
      description: 'User name and password for the authentication type Basic',
      itemLabel: 'Authentication Settings',
      fields: [
        text({
          ...wire.addWebhook.body.auth_settings.parts.user_name,
          label: 'User Name',
          notIdentifying: false,
          description: 'User name that the service sends with each notification',
          required: true,
        }),
        text({
          ...wire.addWebhook.body.auth_settings.parts.user_password,
          label: 'Password',
          notIdentifying: false,
          description: 'Password that the service sends with each notification',
          required: true,
        }),
      ],
    }),
  ],
  present: shownWebhook,
  summary: (_, { body: { label, events = [] } }) =>
    `Created webhook "${asText(label)}" for ${events.length === 0 ? 'the default events of the service' : events.length === 1 ? asText(events[0]) : `${events.length} events`}.`,
  footprint: webhookFootprint,
  lookUp: 'Look for the label {label} in Webhook > Get Many.',
  check: ({ body }) =>
    (body.auth_type === 'BASIC') === (body.auth_settings !== undefined)
      ? []
      : [
          {
            label: 'Authentication Settings',
            found: body.auth_settings === undefined ? 'nothing' : 'a user name and password',
            allowed: 'require the Authentication Type "Basic"',
          },
        ],
});

/** Leaves secrets out of the output unless the user asks for them, because n8n stores every output. */
function shownWebhook(record: IDataObject, { node }: FieldValues): IDataObject {
  // The reference calls the key "secret".
  const { security_key, secret, auth_settings, ...shown } = record;
  return {
    ...shown,
    ...(auth_settings !== undefined && { auth_settings: { ...objectIn(auth_settings), user_password: '***' } }),
    ...(node.returnSecurityKey === true && { security_key: security_key ?? secret }),
  };
}
