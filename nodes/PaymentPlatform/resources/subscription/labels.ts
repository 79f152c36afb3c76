import { filters, sorting } from '../../fields/kinds/filters-and-sorting';
import { operation, type KnownFields } from '../../model/operation';
import { subscriptionId } from './fields';
import { labelValue, newLabel, subscriptionLabel, findWrittenLabel } from './label-fields';
import * as wire from '../../wire/operations';

const knownFields: KnownFields<'subscriptionLabelsBrowse'> = [
  { name: 'Label Name', value: 'name', example: 'Route' },
  { name: 'Value', value: 'value' },
];

export const getLabels = operation({
  value: 'getLabels',
  name: 'Get Labels',
  action: 'Get labels of subscription',
  description: "Retrieve the names and values of a subscription's labels",
  request: wire.subscriptionLabelsBrowse.request,
  fields: [
    subscriptionId(wire.subscriptionLabelsBrowse.path.subscription_id),
    filters(wire.subscriptionLabelsBrowse.query.filter, knownFields),
    sorting(wire.subscriptionLabelsBrowse.query),
  ],
  present: (record, { path }) => ({ subscription_id: path.subscription_id, ...record }),
  list: { fields: knownFields },
});

export const addLabel = operation({
  value: 'addLabel',
  name: 'Add Label',
  action: 'Add label to subscription',
  description: 'Add a label with a name and a value to a subscription, e.g. to group subscriptions by route',
  request: wire.subscriptionLabelsAdd.request,
  fields: [
    subscriptionId(wire.subscriptionLabelsAdd.path.subscription_id),
    newLabel(),
    labelValue('Value of the label', true),
  ],
  made: findWrittenLabel,
  summary: (_, { path, body }) =>
    `Added label ${body.name} with the value ${body.value} to subscription ${path.subscription_id}.`,
  lookUp: 'Check the labels of subscription {subscription_id} in Subscription > Get Labels.',
});

export const updateLabel = operation({
  value: 'updateLabel',
  name: 'Update Label',
  action: 'Update label of subscription',
  description: 'Change the value of a label',
  request: wire.subscriptionLabelsEdit.request,
  fields: [
    subscriptionId(wire.subscriptionLabelsEdit.path.subscription_id),
    subscriptionLabel('update'),
    labelValue('New value of the label', true),
  ],
  made: findWrittenLabel,
  summary: (_, { path, body }) =>
    `Changed label ${body.name} of subscription ${path.subscription_id} to ${body.value}.`,
  lookUp: 'Setting the same value again has no further effect.',
});

export const deleteLabel = operation({
  value: 'deleteLabel',
  name: 'Delete Label',
  action: 'Delete label of subscription',
  description: 'Remove a label from a subscription. The subscription itself does not change.',
  request: wire.subscriptionLabelsDelete.request,
  fields: [
    subscriptionId(wire.subscriptionLabelsDelete.path.subscription_id),
    subscriptionLabel('remove'),
    labelValue(
      'Expected value of the label. The API does not specify whether the service compares it. Leave empty to send only the name.',
    ),
  ],
  present: (_, { body }) => ({ name: body.name, deleted: true }),
  summary: (_, { path, body }) => `Removed label ${body.name} from subscription ${path.subscription_id}.`,
  lookUp:
    'Check the labels of subscription {subscription_id} in Subscription > Get Labels. If the label is not listed, it was removed.',
});
