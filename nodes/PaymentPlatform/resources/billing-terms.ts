import { FREQUENCIES } from '../fields/frequencies';
import { choice } from '../fields/kinds/choice';
import { composite } from '../fields/kinds/composite';
import { amount, integer } from '../fields/kinds/number';
import type { Field, Problem } from '../fields/types';
import { when } from '../fields/kinds/when';
import { isEmpty } from '../fields/value';
import { inMoney } from '../messages/what-happened';
import type { FieldValues } from '../model/types';
import { asText } from '../shared/objects';
import type { ChoiceFact, DecimalFact, IntegerFact } from '../wire/facts';
import type { AddRecurringPlanRequest } from '../wire/schemas';

type Frequency = (typeof AddRecurringPlanRequest.plan_frequency.values)[number];

const UNTIL_CANCELED = -1;
const WEEKLY = 0;
const MONTHLY = 3;

/** Intervals depend on the billing frequency (service.md#plans). */
export const takesInterval = (often: unknown): boolean => often === WEEKLY || often === MONTHLY;

const UNITS: Readonly<Record<string, string>> = { [WEEKLY]: 'week', [MONTHLY]: 'month' };
const OFTEN: Readonly<Record<string, string>> = {
  7: 'a day',
  1: 'every 2 weeks',
  4: 'every 3 months',
  5: 'every 6 months',
  6: 'a year',
};

/** Returns text such as "49.99 USD every 2 weeks", or `''` if the amount is unknown. */
export function chargesOf(terms: {
  amount: unknown;
  currency: unknown;
  frequency: unknown;
  interval: unknown;
}): string {
  if (isEmpty(terms.amount)) return '';
  const number = asText(terms.frequency);
  const unit = UNITS[number];
  const every = Number(terms.interval ?? 1);
  const often = unit === undefined ? OFTEN[number] : every > 1 ? `every ${every} ${unit}s` : `a ${unit}`;
  return [inMoney(terms.amount, terms.currency), often].filter(Boolean).join(' ');
}

export const frequency = (fact: ChoiceFact<Frequency>): Field =>
  choice({
    ...fact,
    label: 'Billing Frequency',
    description: 'Frequency of the payments. Expressions can return the name or the API value, e.g. Monthly or 3.',
    options: [...FREQUENCIES],
    default: MONTHLY,
  });

/**
 * Number of weeks or months between payments.
 * @param empty sentence about an empty field.
 */
export const interval = (fact: IntegerFact, empty = 'Leave empty for 1.'): Field =>
  integer({
    ...fact,
    label: 'Interval',
    description: 'Number of weeks or months between payments, e.g. 2 for every two months',
    placeholder: 'e.g. 2',
    hint: `Weeks or months between payments. ${empty}`,
    least: 1,
    // An expression can return a label instead of a number, so `show` with the supported numbers would hide the field.
    displayOptions: { hide: { plan_frequency: [7, 1, 4, 5, 6] } },
  });

export const recurringAmount = (fact: DecimalFact): Field =>
  amount({
    ...fact,
    label: 'Recurring Amount',
    description: 'Amount of each payment, e.g. 12.50',
    placeholder: 'e.g. 12.50',
    hint: 'In Production, the customer is charged this amount repeatedly',
  });

/**
 * @param isOpen whether the fields are outside a collection. In a collection, n8n would require the end type in every
 * operation.
 */
export function billingDuration(fact: IntegerFact, isOpen = true): { end: Field; payments: Field } {
  const end = choice({
    name: 'endsAfter',
    label: 'Ends',
    description: 'End of the recurring payments',
    options: [
      { name: 'When Canceled', value: 'cancellation' },
      { name: 'After a Number of Payments', value: 'payments' },
    ],
    default: 'cancellation',
    required: isOpen,
    place: 'node',
  });
  const payments = integer({
    ...fact,
    required: false,
    label: 'Number of Payments',
    description:
      'Number of payments after which the subscription ends, e.g. 12. Enter -1 to charge until the subscription is canceled.',
    placeholder: 'e.g. 12',
  });
  const counted = when(end, ['payments'], payments, { required: true, unmarked: true });
  return {
    end,
    payments: composite(counted, [counted], ({ read, look }) =>
      look(end) === 'cancellation' ? UNTIL_CANCELED : read(counted),
    ),
  };
}

/** Checks rules across several terms (openapi.yaml#AddSubscriptionRequest, service.md#letters). */
export function checkBillingTerms({ body }: Pick<FieldValues, 'body'>): Problem[] {
  const { interval: given, plan_frequency: often, plan_duration: number } = body;
  return [
    ...(given !== undefined && !takesInterval(often)
      ? [
          {
            label: 'Interval',
            found: `${asText(given)} with another frequency`,
            allowed: 'applies only if Billing Frequency is Weekly or Monthly',
          },
        ]
      : []),
    ...(number === 0
      ? [
          {
            label: 'Number of Payments',
            found: '0',
            allowed: 'must be at least 1, or -1 to charge until the subscription is canceled',
          },
        ]
      : []),
  ];
}
