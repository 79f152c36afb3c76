import { merchantId } from '../../fields/common';
import { operation } from '../../model/operation';
import { mainSubscriptionFields } from './created';
import { subscriptionId } from './fields';
import * as wire from '../../wire/operations';

export const get = operation({
  value: 'get',
  name: 'Get',
  action: 'Get status of subscription',
  description: 'Retrieve the status and next payment of a subscription',
  request: wire.getSubscription.request,
  fields: [subscriptionId(wire.getSubscription.path.subscription_id)],
  additional: [merchantId(wire.getSubscription.query.merchant_id)],
  simplified: mainSubscriptionFields,
});
