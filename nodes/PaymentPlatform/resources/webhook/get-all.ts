import { filters, sorting } from '../../fields/kinds/filters-and-sorting';
import { operation, type KnownFields } from '../../model/operation';
import { mainWebhookFields, withOwner } from './fields';
import * as wire from '../../wire/operations';

const statuses = [
  { name: 'Active', value: 'ACTIVE' },
  { name: 'Disabled by a User', value: 'DISABLED' },
  { name: 'Suspended by the Service', value: 'SUSPENDED' },
];

const knownFields: KnownFields<'getWebhooks'> = [
  { name: 'Address', value: 'notification_url' },
  { name: 'Label', value: 'label' },
  { name: 'Status', value: 'status', values: statuses },
  { name: 'Webhook ID', value: 'webhook_id' },
];

export const getAll = operation({
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many webhooks',
  description:
    'Retrieve a list of webhooks without their security keys. The output shows which webhooks belong to n8n triggers.',
  request: wire.getWebhooks.request,
  fields: [filters(wire.getWebhooks.query.filter, knownFields), sorting(wire.getWebhooks.query)],
  present: withOwner,
  simplified: mainWebhookFields,
  addedBySimplify: ['belongs_to_trigger'],
  list: { identity: 'webhook_id', fields: knownFields },
});
