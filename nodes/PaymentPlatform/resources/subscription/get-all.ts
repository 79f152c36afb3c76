import { merchantId } from '../../fields/common';
import { daysField } from '../../fields/kinds/days';
import { filters, sorting } from '../../fields/kinds/filters-and-sorting';
import { operation, type KnownFields } from '../../model/operation';
import { mainSubscriptionFields } from './created';
import * as wire from '../../wire/operations';

const statuses = [
  { name: 'Active', value: 'A' },
  { name: 'Suspended After a Missed Payment', value: 'S' },
  { name: 'Paused', value: 'P' },
  { name: 'Canceled', value: 'C' },
  { name: 'Complete', value: 'D' },
];

const knownFields: KnownFields<'browseSubscriptions'> = [
  { name: 'Customer ID', value: 'customer_id' },
  { name: 'Next Payment', value: 'date_next' },
  { name: 'Plan Code', value: 'plan_code' },
  { name: 'Purchase ID', value: 'purchase_id' },
  { name: 'Recurring Amount', value: 'recur_amt' },
  { name: 'Start Date', value: 'date_start' },
  { name: 'Status', value: 'status', values: statuses },
  { name: 'Subscription ID', value: 'subscription_id' },
];

const days = { field: 'date_next', of: 'subscriptions whose next payment is', ahead: true } as const;

export const getAll = operation({
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many subscriptions',
  description: 'Retrieve a list of subscriptions, such as all suspended subscriptions',
  request: wire.browseSubscriptions.request,
  fields: [
    daysField(days),
    filters(wire.browseSubscriptions.query.filter, knownFields, days),
    sorting(wire.browseSubscriptions.query),
  ],
  additional: [merchantId(wire.browseSubscriptions.query.merchant_id)],
  simplified: mainSubscriptionFields,
  list: { identity: 'subscription_id', fields: knownFields, day: [days.field] },
});
