import { merchantId } from '../../fields/common';
import { customerWords } from '../../messages/what-happened';
import { operation } from '../../model/operation';
import { mainSubscriptionFields } from './created';
import { subscriptionId } from './fields';
import { changeOfState, ifAlready, ownerField, footprintOfState, type Change } from './state';
import * as wire from '../../wire/operations';

const { body, path, request } = wire.pauseSubscription;

const change: Change = { request, from: ['A'], into: 'P', can: 'can be paused' };

export const pause = operation({
  value: 'pause',
  name: 'Pause',
  action: 'Pause billing of subscription',
  description:
    'Stop charging an active subscription until you resume the subscription. Payments due during the pause are skipped and not charged later.',
  request,
  fields: [subscriptionId(path.subscription_id), ifAlready()],
  additional: [ownerField(body.customer_id), merchantId(body.merchant_id)],
  steps: { sends: [request], each: [changeOfState(change)] },
  setsState: true,
  simplified: mainSubscriptionFields,
  summary: (record, { path }) =>
    `Subscription ${path.subscription_id}${customerWords(record)} is paused and skips payments until you resume it.`,
  footprint: footprintOfState(change),
  lookUp: 'Check the status of subscription {subscription_id} in Subscription > Get. The status "P" means paused.',
});
