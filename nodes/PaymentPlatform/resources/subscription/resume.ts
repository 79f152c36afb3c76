import { merchantId } from '../../fields/common';
import { customerWords } from '../../messages/what-happened';
import { operation } from '../../model/operation';
import { mainSubscriptionFields } from './created';
import { subscriptionId } from './fields';
import { changeOfState, ifAlready, ownerField, footprintOfState, type Change } from './state';
import * as wire from '../../wire/operations';

const { body, path, request } = wire.resumeSubscription;

const change: Change = { request, from: ['P', 'S'], into: 'A', can: 'can be resumed' };

export const resume = operation({
  value: 'resume',
  name: 'Resume',
  action: 'Resume billing of subscription',
  description:
    'Resume charging a paused or suspended subscription. Missed payments are charged after a suspension, but not after a pause.',
  moneyEffect: 'The customer can be charged immediately.',
  request,
  fields: [
    subscriptionId(
      path.subscription_id,
      'Subscription to resume. If the subscription was suspended, missed payments are charged too',
    ),
    ifAlready(),
  ],
  additional: [ownerField(body.customer_id), merchantId(body.merchant_id)],
  steps: { sends: [request], each: [changeOfState(change)] },
  setsState: true,
  simplified: mainSubscriptionFields,
  target: 'customer_id',
  summary: (record, { path }) =>
    record.status === 'S'
      ? `Subscription ${path.subscription_id}${customerWords(record)} was resumed, but is suspended again.`
      : `Subscription ${path.subscription_id}${customerWords(record)} is active, so its payments continue.`,
  footprint: footprintOfState(change),
  lookUp:
    'Check the status of subscription {subscription_id} in Subscription > Get. The status "A" means active. Report > Get Many Transactions lists the charged payments.',
});
