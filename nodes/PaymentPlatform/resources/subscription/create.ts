import { boolean } from '../../fields/kinds/choice';
import { currency, IN_DOLLARS, merchantId, profileId, savedCard } from '../../fields/common';
import { calendarDate } from '../../fields/kinds/date';
import { amount } from '../../fields/kinds/number';
import { text } from '../../fields/kinds/text';
import type { Problem } from '../../fields/types';
import { operation, type ValuesOf } from '../../model/operation';
import { checkCustomer, customerFields } from './customer';
import { created, mainFields } from './created';
import { declinedFee, partialFailure } from './declined-fee';
import { notePast } from './past';
import { checkTerms, termsFields } from './terms';
import { subscriptionFootprint } from './footprint';
import * as wire from '../../wire/operations';

export const create = operation({
  value: 'create',
  name: 'Create',
  action: 'Create subscription (recurring charges)',
  description: 'Charge a customer again and again, on a plan or on terms of its own',
  request: wire.addSubscription.request,
  fields: [
    ...customerFields(),
    ...termsFields(),
    calendarDate({
      ...wire.addSubscription.body.date_start,
      label: 'Start Date',
      wording: true,
      description: 'Day on which the subscription starts.',
      required: true,
    }),
    amount({
      ...wire.addSubscription.body.amt_setup,
      label: 'One-Time Fee',
      description:
        'Amount that is charged once, at once, e.g. 25.00. What becomes of the fee of a plan is not known: ask support before you give one with a plan.',
      placeholder: 'e.g. 25.00',
      zero: true,
    }),
    declinedFee(),
  ],
  additional: [
    savedCard(wire.addSubscription.body.card_id, {
      description: 'Card of the customer to charge. The primary card unless given.',
    }),
    boolean({
      ...wire.addSubscription.body.use_existing_customer,
      label: 'Use Existing Customer',
      wording: true,
      description:
        'Whether a customer of the vault with the same name and card is used instead of saving the new customer once more',
      default: true,
    }),
    text({
      ...wire.addSubscription.body.plan_desc,
      label: 'Plan Description',
      wording: true,
      description: 'What an off-plan subscription is for',
      placeholder: 'e.g. Monthly garden box',
    }),
    text({
      ...wire.addSubscription.body.purchase_id,
      label: 'Purchase ID',
      wording: true,
      description: 'Your own reference. The service makes one up for an off-plan subscription unless given.',
      placeholder: 'e.g. ORDER-1001',
    }),
    boolean({
      ...wire.addSubscription.body.amt_setup_ignore,
      label: 'Waive One-Time Fee',
      description: "Whether the plan's one-time fee is not charged",
      default: true,
    }),
    boolean({
      ...wire.addSubscription.body.cancel_on_setup_fail,
      label: 'Cancel If the One-Time Fee Fails',
      wording: true,
      description: 'Whether the subscription is canceled when its one-time fee is declined',
      default: true,
    }),
    amount({
      ...wire.addSubscription.body.pct_fee,
      label: 'Surcharge (Percent)',
      description: 'Percentage that is added to each amount, e.g. 2.50',
      placeholder: 'e.g. 2.50',
      zero: true,
    }),
    currency(wire.addSubscription.body.tran_currency, { otherwise: IN_DOLLARS }),
    profileId(wire.addSubscription.body.profile_id),
    merchantId(wire.addSubscription.body.merchant_id),
  ],
  check: (values) => [...checkCustomer(values), ...checkReuse(values), ...checkTerms(values)],
  notice: notePast,
  partialFailure,
  summary: created,
  simplified: mainFields,
  addedBySimplify: ['response_rcode'],
  refusals: [
    {
      pattern: /"customer_id" is not known/,
      what: 'There is no saved customer with this ID',
      advice: 'Pick a saved customer from the list, or choose "New Customer" to save one with the subscription.',
    },
    {
      pattern: /"plan_code"/,
      what: 'There is no active plan with this code',
      advice: 'Pick a plan from the list: archived and deleted plans take no new subscribers.',
    },
  ],
  sameObject: 'customer_id',
  footprint: subscriptionFootprint,
  lookUp:
    'Look for the subscription[ of customer {customer_id}][ with the purchase ID {purchase_id}] in Subscription > Get Many. Look for the sale of a one-time fee in Report > Get Many Transactions.',
});

const checkReuse = ({ body }: ValuesOf<'addSubscription'>): Problem[] =>
  body.use_existing_customer !== undefined && body.customer === undefined
    ? [
        {
          label: 'Use Existing Customer',
          found: `${body.use_existing_customer} with an Existing Customer`,
          allowed: 'applies to a New Customer only',
        },
      ]
    : [];
