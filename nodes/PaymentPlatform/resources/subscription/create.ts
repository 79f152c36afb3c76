import { boolean } from '../../fields/kinds/choice';
import { currency, IN_DOLLARS, merchantId, profileId, savedCard } from '../../fields/common';
import { calendarDateOrToday } from '../../fields/kinds/date';
import { amount } from '../../fields/kinds/number';
import { text } from '../../fields/kinds/text';
import type { Problem } from '../../fields/types';
import { operation, type ValuesOf } from '../../model/operation';
import { checkCustomer, customerFields } from './customer';
import { created, mainSubscriptionFields } from './created';
import { declinedFee, partialFailure } from './declined-fee';
import { notePast } from './state';
import { checkTerms, subscriptionTermsFields } from './terms';
import { subscriptionFootprint } from './footprint';
import * as wire from '../../wire/operations';

export const create = operation({
  value: 'create',
  name: 'Create',
  action: 'Create subscription (recurring charges)',
  description: 'Create recurring charges for a customer, with a plan or custom terms',
  moneyEffect: 'Charges can begin immediately.',
  request: wire.addSubscription.request,
  fields: [
    ...customerFields(),
    ...subscriptionTermsFields(),
    calendarDateOrToday({
      ...wire.addSubscription.body.date_start,
      label: 'Start Date',
      notIdentifying: true,
      hint: 'Leave empty to start today',
      description:
        'Date of the start and, unless the plan sets another day, of the first payment. Defaults to today in the time zone of the workflow.',
    }),
    amount({
      ...wire.addSubscription.body.amt_setup,
      label: 'One-Time Fee',
      description:
        "One-time amount to charge immediately, e.g. 25.00. The API does not specify how this fee combines with a plan's own fee, so ask support before you use both fees.",
      placeholder: 'e.g. 25.00',
      zero: true,
    }),
    declinedFee(),
  ],
  additional: [
    savedCard(wire.addSubscription.body.card_id, {
      description: 'Saved card to charge. Defaults to the primary card of the customer.',
    }),
    boolean({
      ...wire.addSubscription.body.use_existing_customer,
      label: 'Use Existing Customer',
      notIdentifying: true,
      description: 'Whether to use an existing customer with the same name and card instead of creating a duplicate',
      default: true,
    }),
    text({
      ...wire.addSubscription.body.plan_desc,
      label: 'Plan Description',
      notIdentifying: true,
      description: 'Description of a subscription without a plan',
      placeholder: 'e.g. Monthly garden box',
    }),
    text({
      ...wire.addSubscription.body.purchase_id,
      label: 'Purchase ID',
      notIdentifying: true,
      description:
        'Your reference. If empty, the node generates a reference, so that it can find the subscription if the response is lost.',
      placeholder: 'e.g. ORDER-1001',
    }),
    boolean({
      ...wire.addSubscription.body.amt_setup_ignore,
      label: 'Waive One-Time Fee',
      description: 'Whether to skip the one-time fee of the plan',
      default: true,
    }),
    boolean({
      ...wire.addSubscription.body.cancel_on_setup_fail,
      label: 'Cancel If Fee Is Declined',
      notIdentifying: true,
      description: 'Whether to cancel the subscription if the one-time fee is declined',
      default: true,
    }),
    amount({
      ...wire.addSubscription.body.pct_fee,
      label: 'Surcharge (Percent)',
      description: 'Percentage to add to each amount, e.g. 2.50',
      placeholder: 'e.g. 2.50',
      zero: true,
    }),
    currency(wire.addSubscription.body.tran_currency, { fallback: IN_DOLLARS }),
    profileId(wire.addSubscription.body.profile_id),
    merchantId(wire.addSubscription.body.merchant_id),
  ],
  check: (values) => [...checkCustomer(values), ...checkReuse(values), ...checkTerms(values)],
  notice: notePast,
  partialFailure,
  summary: created,
  simplified: mainSubscriptionFields,
  addedBySimplify: ['response_rcode'],
  refusals: [
    {
      pattern: /"customer_id" is not known/,
      what: 'No saved customer has this ID',
      advice:
        'Select a saved customer from the list, or choose "New Customer" to save a customer with the subscription.',
    },
    {
      pattern: /"plan_code"/,
      what: 'No active plan has this code',
      advice: 'Select a plan from the list. Archived and deleted plans accept no new subscribers.',
    },
  ],
  sameObject: 'customer_id',
  target: 'customer_id',
  reference: { name: 'purchase_id' },
  footprint: subscriptionFootprint,
  lookUp:
    'Look for the subscription[ of customer {customer_id}][ with the purchase ID {purchase_id}] in Subscription > Get Many. If there is a one-time fee, look for its charge in Report > Get Many Transactions.',
});

const checkReuse = ({ body }: ValuesOf<'addSubscription'>): Problem[] =>
  body.use_existing_customer !== undefined && body.customer === undefined
    ? [
        {
          label: 'Use Existing Customer',
          found: `${body.use_existing_customer} with an Existing Customer`,
          allowed: 'applies only to a New Customer',
        },
      ]
    : [];
