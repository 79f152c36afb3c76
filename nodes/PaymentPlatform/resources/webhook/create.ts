import { boolean } from '../../fields/kinds/choice';
import { text } from '../../fields/kinds/text';
import { operation } from '../../model/operation';
import { asText } from '../../shared/objects';
import { deliveryFields, notificationUrl, settingsProblem, webhookEvents, webhookLabel } from './fields';
import { webhookFootprint } from './footprint';
import * as wire from '../../wire/operations';

export const create = operation({
  value: 'create',
  name: 'Create',
  action: 'Create webhook',
  description:
    'Register a URL that the service notifies of events. The Payment Platform Trigger node registers its own webhook.',
  request: wire.addWebhook.request,
  fields: [
    notificationUrl(true),
    webhookLabel(true),
    webhookEvents(
      "Events for which the service sends notifications. Select at least one event. To add an event that is not in the list, use 'Other Event Names'.",
    ),
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
    ...deliveryFields(),
  ],
  // The service may return the security key under another name (openapi.yaml#Webhook).
  present: ({ secret, ...record }) => ({ security_key: secret, ...record }),
  summary: (_, { body: { label, events = [] } }) =>
    `Created webhook "${asText(label)}" for ${events.length === 0 ? 'the default events of the service' : events.length === 1 ? asText(events[0]) : `${events.length} events`}.`,
  footprint: webhookFootprint,
  lookUp: 'Look for a webhook with the label {label} in Webhook > Get Many.',
  check: ({ body }) =>
    (body.auth_type === 'BASIC') === (body.auth_settings !== undefined) ? [] : [settingsProblem(body.auth_settings)],
});
