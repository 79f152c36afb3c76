import { choice } from '../../fields/choice';
import { joined } from '../../fields/joined';
import { amount, integer } from '../../fields/number';
import { text } from '../../fields/text';
import type { Field, Problem } from '../../fields/types';
import { when } from '../../fields/when';
import { asText } from '../../shared/objects';
import type { FieldValues } from '../../pipeline/types';
import { AddSubscriptionRequest } from '../../wire/schemas';

/** plan_duration of a subscription that has no end (docs/service.md#letters). */
const UNTIL_CANCELLED = -1;
const WEEKLY = 0;
const MONTHLY = 3;

/** A plan_code, or terms of its own (docs/service.md#subscriptions). The service has no field for the choice itself. */
const source = choice({
  name: 'termsSource',
  label: 'Terms',
  description: 'What is charged, and how often',
  options: [
    { name: 'Plan', value: 'plan', description: 'A plan that was created before' },
    { name: 'Off Plan', value: 'offPlan', description: 'Frequency, duration and amount for this subscription alone' },
  ],
  default: 'plan',
  required: true,
  place: 'node',
});

const end = choice({
  name: 'endsAfter',
  label: 'Ends',
  description: 'How long the customer is charged',
  options: [
    { name: 'After a Number of Payments', value: 'payments' },
    { name: 'When It Is Cancelled', value: 'cancellation' },
  ],
  default: 'payments',
  required: true,
  place: 'node',
});

const frequency = (): Field =>
  choice({
    ...AddSubscriptionRequest.plan_frequency,
    label: 'Billing Frequency',
    description: 'How often the customer is charged. An expression may give the name, e.g. Monthly, or the number.',
    options: [
      { name: 'Daily', value: 7 },
      { name: 'Weekly', value: WEEKLY },
      { name: 'Bi-Weekly', value: 1, description: 'Every two weeks' },
      { name: 'Monthly', value: MONTHLY },
      { name: 'Quarterly', value: 4 },
      { name: 'Bi-Annually', value: 5, description: 'Twice a year' },
      { name: 'Annually', value: 6 },
    ],
    default: MONTHLY,
  });

const payments = integer({
  ...AddSubscriptionRequest.plan_duration,
  label: 'Number of Payments',
  description: 'After how many payments the subscription ends, e.g. 12. -1 charges until it is cancelled.',
  placeholder: 'e.g. 12',
});

/** The number of payments, or none where only a cancellation ends the subscription. */
const counted = when(end, ['payments'], payments, { required: true, unmarked: true });
const duration = joined(counted, [counted], ({ read, look }) =>
  look(end) === 'cancellation' ? UNTIL_CANCELLED : read(counted),
);

/** What is charged, and how often: a plan or terms of its own (docs/service.md#subscriptions). */
export const termsFields = (): Field[] => {
  const offPlan = (field: Field, required = true, unmarked = false) =>
    when(source, ['offPlan'], field, { required, unmarked });
  return [
    source,
    when(
      source,
      ['plan'],
      text({
        ...AddSubscriptionRequest.plan_code,
        label: 'Plan Code',
        wording: false,
        description: 'Code of the plan, as the merchant portal shows it',
        placeholder: 'e.g. MONTHLY25',
      }),
      { required: true },
    ),
    offPlan(frequency()),
    offPlan(
      integer({
        ...AddSubscriptionRequest.interval,
        label: 'Interval',
        description: 'Charges every so many weeks or months, e.g. 2 for every second one. 1 unless given.',
        placeholder: 'e.g. 2',
        least: 1,
        // Hidden, not shown, by value: an expression that gives a name must not hide it.
        displayOptions: { hide: { plan_frequency: [7, 1, 4, 5, 6] } },
      }),
      false,
    ),
    offPlan(
      amount({
        ...AddSubscriptionRequest.amt_tran,
        label: 'Recurring Amount',
        description: 'Amount of each payment, e.g. 12.50',
        placeholder: 'e.g. 12.50',
        hint: 'In Production the customer is charged this amount again and again',
      }),
      true,
      true,
    ),
    offPlan(end),
    offPlan(duration, true, true),
  ];
};

/** Rules between the terms (openapi.yaml#AddSubscriptionRequest, docs/service.md#letters). */
export function checkTerms({ body }: FieldValues): Problem[] {
  const problems: Problem[] = [];
  if (body.interval !== undefined && body.plan_frequency !== WEEKLY && body.plan_frequency !== MONTHLY)
    problems.push({
      label: 'Interval',
      found: `${asText(body.interval)} with another frequency`,
      allowed: 'applies to the Billing Frequency Weekly or Monthly only',
    });
  if (body.plan_duration === 0)
    problems.push({
      label: 'Number of Payments',
      found: '0',
      allowed: 'must be at least 1, or -1 to charge until the subscription is cancelled',
    });
  if (body.amt_setup_ignore === true && body.amt_setup !== undefined)
    problems.push({
      label: 'Waive One-Time Fee',
      found: 'a One-Time Fee as well',
      allowed: 'can not be switched on together with a One-Time Fee',
    });
  return problems;
}
