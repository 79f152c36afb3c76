import { IN_DOLLARS, currency, merchantId, profileId } from '../../fields/common';
import { choice } from '../../fields/kinds/choice';
import { amount, integer } from '../../fields/kinds/number';
import { text } from '../../fields/kinds/text';
import type { Field, Problem } from '../../fields/types';
import type { ValuesOf } from '../../model/operation';
import { AddRecurringPlanRequest, type UpdateRecurringPlanRequest } from '../../wire/schemas';
import { billingDuration, chargesOf, checkBillingTerms, frequency, interval, recurringAmount } from '../billing-terms';
import type { Plan } from './fields';
import { setDayFields } from './set-day';

type PlanFacts = typeof AddRecurringPlanRequest | typeof UpdateRecurringPlanRequest;

export const planNameFields = (facts: PlanFacts): Field[] => [
  text({
    ...facts.plan_name,
    label: 'Plan Name',
    isName: true,
    notIdentifying: true,
    description: 'Name of the plan',
    placeholder: 'e.g. Monthly support',
  }),
  text({
    ...facts.plan_desc,
    label: 'Plan Description',
    notIdentifying: true,
    description: 'Description of the plan',
    placeholder: 'e.g. Support by email, billed monthly',
  }),
];

/** @param mayExist whether the plan may already exist. */
export function planTermsFields(facts: PlanFacts, isNew: boolean, mayExist = false): Field[] {
  const often = frequency(facts.plan_frequency);
  const { end, payments } = billingDuration(facts.plan_duration, isNew);
  const empty = mayExist ? 'A new plan defaults to 1.' : isNew ? undefined : 'Leave empty to keep the current value.';
  return [often, interval(facts.interval, empty), end, payments, ...setDayFields(facts, often, isNew, mayExist)];
}

export const priceField = (facts: PlanFacts): Field => recurringAmount(facts.amt_tran);

/** @param inCurrency sentence about an empty currency. */
export const moreFields = (facts: PlanFacts, inCurrency = IN_DOLLARS): Field[] => [
  amount({
    ...facts.amt_setup,
    label: 'One-Time Fee',
    description: 'One-time amount to charge when a customer subscribes, e.g. 25.00',
    placeholder: 'e.g. 25.00',
    zero: true,
  }),
  integer({
    ...facts.trial_duration,
    label: 'Trial Payments',
    description:
      'Length of the trial before the recurring amount is charged, e.g. 1. Enter 0 for no trial. The API does not specify the unit, so ask support before you use a trial.',
    placeholder: 'e.g. 1',
  }),
  amount({
    ...facts.amt_trial,
    label: 'Trial Amount',
    description: 'Amount of each trial payment, e.g. 5.00. Enter 0 for a free trial.',
    placeholder: 'e.g. 5.00',
    zero: true,
  }),
  choice({
    ...facts.dba_suffix,
    label: 'Statement Suffix',
    description:
      "Text after your name on the customer's card statement. When you update a plan, change at least one other field too.",
    options: [
      { name: 'End of Discount', value: 'END DSCNT' },
      { name: 'End of Offer', value: 'END OFFER' },
      { name: 'End of Promotion', value: 'END PROMO' },
      { name: 'End of Trial', value: 'END TRIAL' },
    ],
  }),
  currency(facts.tran_currency, { fallback: inCurrency }),
  profileId(facts.profile_id),
  merchantId(facts.merchant_id),
];

type Terms = ValuesOf<'addPlan'>['body'];
type Change = ValuesOf<'updatePlan'>['body'];

/** Checks rules across several terms (openapi.yaml#AddRecurringPlanRequest, service.md#plans). */
export function checkNewPlan(body: Terms): Problem[] {
  const days = [body.day_of_week, body.day_of_month, body.month];
  const hasDay = days.some((day) => day !== undefined);
  const problems = [...checkBillingTerms({ body }), ...checkTrial(body, body.trial_duration ?? 0)];
  if (body.bill_specific_day === true && !hasDay)
    problems.push({
      label: 'Bill on a Fixed Day',
      found: 'the value true without a day',
      allowed: 'requires a Day of Week or a Day of Month, and does not apply if Billing Frequency is Daily',
    });
  return problems;
}

/** Checks rules for the changed fields alone. `completed` checks rules that depend on the current plan. */
export const checkChange = (body: Change): Problem[] => [
  ...checkBillingTerms({ body: body.plan_frequency === undefined ? { ...body, interval: undefined } : body }),
  ...checkTrial(body, body.trial_duration),
];

/** A trial amount is valid only with a trial. */
const checkTrial = ({ amt_trial: amount }: Change, payments: number | undefined): Problem[] =>
  amount !== undefined && payments === 0
    ? [
        {
          label: 'Trial Amount',
          found: 'no Trial Payments',
          allowed: 'applies only to a trial, so fill in "Trial Payments" too',
        },
      ]
    : [];

/** Returns text such as " for 25.00 USD a month", or `''`. */
export function charges({ amt_tran, plan_frequency, interval, tran_currency }: Plan): string {
  const words = chargesOf({
    amount: amt_tran,
    currency: tran_currency ?? AddRecurringPlanRequest.tran_currency.serverDefault,
    frequency: plan_frequency,
    interval,
  });
  return words === '' ? '' : ` for ${words}`;
}
