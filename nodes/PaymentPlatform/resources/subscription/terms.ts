import { choice } from '../../fields/kinds/choice';
import type { Field, Problem } from '../../fields/types';
import { when } from '../../fields/kinds/when';
import type { ValuesOf } from '../../model/operation';
import { AddSubscriptionRequest } from '../../wire/schemas';
import { checkBillingTerms, billingDuration, frequency, interval, recurringAmount } from '../billing-terms';
import { activePlan } from '../plan/fields';

/** The service derives this choice from the other fields (service.md#subscriptions). */
const source = choice({
  name: 'termsSource',
  label: 'Terms',
  description: 'Plan or custom terms that set the amount and frequency',
  options: [
    { name: 'Custom Terms', value: 'offPlan', description: 'Custom frequency, duration and amount' },
    { name: 'Plan', value: 'plan', description: 'Existing plan with its amount and frequency' },
  ],
  default: 'offPlan',
  required: true,
  place: 'node',
});

/** Plan or custom terms (service.md#subscriptions). */
export const subscriptionTermsFields = (): Field[] => {
  const offPlan = (field: Field, required = true, unmarked = false) =>
    when(source, ['offPlan'], field, { required, unmarked });
  const { end, payments } = billingDuration(AddSubscriptionRequest.plan_duration);
  const onPlan = activePlan(AddSubscriptionRequest.plan_code, {
    description:
      'Plan to subscribe to. Search active plans by name, code, amount or frequency, or enter the plan code.',
  });
  return [
    source,
    when(source, ['plan'], onPlan, { required: true }),
    offPlan(frequency(AddSubscriptionRequest.plan_frequency)),
    offPlan(interval(AddSubscriptionRequest.interval), false),
    offPlan(recurringAmount(AddSubscriptionRequest.amt_tran), true, true),
    offPlan(end),
    offPlan(payments, true, true),
  ];
};

/** Checks rules across several terms (openapi.yaml#AddSubscriptionRequest, service.md#letters). */
export const checkTerms = ({ body }: ValuesOf<'addSubscription'>): Problem[] => [
  ...checkBillingTerms({ body }),
  ...(body.amt_setup_ignore === true && body.amt_setup !== undefined
    ? [
        {
          label: 'Waive One-Time Fee',
          found: 'a One-Time Fee',
          allowed: "can't be combined with a One-Time Fee",
        },
      ]
    : []),
];
