import { merchantId } from '../../fields/common';
import { withHint } from '../../fields/bounds';
import { customerWords } from '../../messages/what-happened';
import { operation } from '../../model/operation';
import { mainSubscriptionFields } from './created';
import { subscriptionId } from './fields';
import { changeOfState, ifAlready, ownerField, footprintOfState, type Change } from './state';
import * as wire from '../../wire/operations';

const { body, path, request } = wire.cancelSubscription;

const change: Change = { request, from: ['A', 'S', 'P'], into: 'C', can: 'can be canceled' };

export const cancel = operation({
  value: 'cancel',
  name: 'Cancel',
  action: 'Cancel subscription permanently',
  description:
    "End a subscription immediately and permanently. This can't be undone. To stop charges temporarily, use Subscription > Pause.",
  request,
  fields: [
    withHint(subscriptionId(path.subscription_id, 'Subscription to cancel'), "This can't be undone"),
    ifAlready(),
  ],
  additional: [ownerField(body.customer_id), merchantId(body.merchant_id)],
  steps: { sends: [request], each: [changeOfState(change)] },
  setsState: true,
  simplified: mainSubscriptionFields,
  summary: (record, { path }) =>
    `Subscription ${path.subscription_id}${customerWords(record)} is canceled permanently.`,
  footprint: footprintOfState(change),
  lookUp: 'Check the status of subscription {subscription_id} in Subscription > Get. The status "C" means canceled.',
});
