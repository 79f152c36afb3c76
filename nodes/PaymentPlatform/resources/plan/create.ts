import { text } from '../../fields/kinds/text';
import { operation } from '../../model/operation';
import { mainPlanFields } from './fields';
import { charges, checkNewPlan, moreFields, planNameFields, priceField, planTermsFields } from './terms';
import { planFootprint } from './footprint';
import * as wire from '../../wire/operations';

const { body, request } = wire.addPlan;

/**
 * @param code description of the plan code.
 * @param mayExist whether a plan with this code may already exist.
 */
export const newPlanFields = (code: string, mayExist = false) => [
  text({
    ...body.plan_code,
    isShown: true,
    label: 'Plan Code',
    notIdentifying: false,
    description: code,
    placeholder: 'e.g. MONTHLY25',
  }),
  ...planNameFields(body),
  priceField(body),
  ...planTermsFields(body, true, mayExist),
];

export const create = operation({
  value: 'create',
  name: 'Create',
  action: 'Create plan',
  description: 'Create a plan for subscriptions. Nothing is charged.',
  moneyEffect: 'No money moves until a customer subscribes.',
  request,
  fields: newPlanFields('Unique code that identifies the plan in subscriptions'),
  additional: moreFields(body),
  check: (values) => checkNewPlan(values.body),
  simplified: mainPlanFields,
  summary: (record, { body: given }) => `Created plan ${given.plan_code}${charges(record)}.`,
  refusals: [
    {
      pattern: /"?plan_code"?.*(?:taken|exist|in use)/i,
      what: 'An active plan with this code already exists',
      advice: 'Enter another code, or use Plan > Create or Update to update the existing plan.',
    },
  ],
  sameObject: 'plan_code',
  footprint: planFootprint,
  lookUp: 'Nothing was charged. Look for plan {plan_code} in Plan > Get Many.',
});
