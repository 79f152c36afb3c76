import { merchantId } from '../../fields/common';
import { text } from '../../fields/text';
import { operation } from '../../pipeline/operation';
import { mainFields } from './created';
import * as wire from '../../wire/operations';

export const get = operation({
  value: 'get',
  name: 'Get',
  action: 'Get status of subscription',
  description: 'Look up a subscription: its status, and when what is charged next',
  request: wire.getSubscription.request,
  fields: [
    text({
      ...wire.getSubscription.path.subscription_id,
      label: 'Subscription ID',
      description: 'The subscription_id that the service gave when the subscription was created',
      placeholder: 'e.g. 31001',
    }),
  ],
  additional: [merchantId(wire.getSubscription.query.merchant_id)],
  simplified: mainFields,
});
