import { operation, type ValuesOf } from '../../model/operation';
import type { Problem } from '../../fields/types';
import type { Step } from '../../model/types';
import { changedPlan, withArchived } from './changed';
import { completed } from './completed';
import { changedFields, activePlan, STATEMENT_SUFFIX, type Plan } from './fields';
import { moneyOfChange } from './money';
import { checkChange, moreFields, planNameFields, priceField, planTermsFields } from './terms';
import { activeOf, planDiffers, lookAtVersions, refusedWithout } from './versions';
import * as wire from '../../wire/operations';

const { body, path, request } = wire.updatePlan;

type Values = ValuesOf<'updatePlan'>;

const change: Step<Values, Plan> = {
  look: lookAtVersions,
  decide: (versions, values) => {
    const active = activeOf(versions);
    if (!active) return refusedWithout(versions);
    if (!planDiffers(active, values.body)) return { done: active };
    const whole = completed(active, values.body);
    if ('refuse' in whole) return whole;
    return { request: { to: request, path: { plan_id: active.plan_id }, ...whole } };
  },
};

const nothingToChange = ({ body: given }: Values) =>
  Object.keys(given).every((name) => name === body.merchant_id.name || name === STATEMENT_SUFFIX);

const nothingBeside = ({ body: given }: Values): Problem =>
  given[STATEMENT_SUFFIX] === undefined
    ? {
        label: 'Plan Name',
        found: 'nothing',
        allowed: 'is required, unless you enter a value in another field',
      }
    : {
        label: 'Statement Suffix',
        found: 'no other field',
        allowed: "can't be the only changed field, because the service does not return the current suffix",
      };

export const update = operation({
  value: 'update',
  name: 'Update',
  action: 'Update plan',
  description:
    'Update an active plan. Empty fields keep their current values. If the plan has subscribers, they keep the current version, which is archived, and the service creates a new version with a new plan ID.',
  moneyEffect: 'No money moves until a customer subscribes.',
  request,
  money: moneyOfChange,
  fields: [
    activePlan(path.plan_code, {
      description: 'Plan to update. Search active plans by name, code, amount or frequency, or enter the plan code.',
    }),
    ...planNameFields(body),
    priceField(body),
  ],
  additional: [...planTermsFields(body, false), ...moreFields(body, 'Leave empty to keep the current currency.')],
  check: (values) => (nothingToChange(values) ? [nothingBeside(values)] : checkChange(values.body)),
  steps: { sends: [request], each: [change] },
  setsState: true,
  present: withArchived,
  simplified: changedFields,
  addedBySimplify: ['archived_plan_id'],
  summary: changedPlan,
  lookUp:
    'Nothing was charged. Look for plan {plan_code} in Plan > Get Many. Running this item again is safe, because the node checks the plan first.',
});
