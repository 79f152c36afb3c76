import { operation, type ValuesOf } from '../../model/operation';
import type { Step } from '../../model/types';
import { comparableText } from '../../shared/objects';
import { upsertedPlan, withArchived } from './changed';
import { completed } from './completed';
import { newPlanFields } from './create';
import { changedFields, type Plan } from './fields';
import { moneyOfChange } from './money';
import { checkNewPlan, moreFields } from './terms';
import { activeOf, planDiffers, lookForPlans, refusedWithout } from './versions';
import * as wire from '../../wire/operations';

const { body, request } = wire.addPlan;
const change = wire.updatePlan;

type Terms = Omit<ValuesOf<'addPlan'>['body'], 'plan_code'>;

/** Removes switches that are off, as the user may not have touched them. */
function withoutUntouched({ bill_specific_day: setDay, prorate_first_pmt: prorated, ...terms }: Terms): Terms {
  return {
    ...terms,
    ...(setDay === true && { bill_specific_day: true }),
    ...(prorated === true && { prorate_first_pmt: true }),
  };
}

/**
 * Only the list of plans proves that a plan doesn't exist. Compares the codes again, because the service may ignore the
 * filter.
 */
const createOrChange: Step<ValuesOf<'addPlan'>, Plan> = {
  look: (values) => lookForPlans('plan_code', values.body.plan_code, values),
  decide: (found, values) => {
    const { plan_code: code, ...terms } = values.body;
    const versions = found.filter((one) => comparableText(one.plan_code) === comparableText(code));
    const active = activeOf(versions);
    if (versions.length === 0) return { request: { to: request, body: values.body } };
    if (!active) return refusedWithout(versions);
    const changes = withoutUntouched(terms);
    if (!planDiffers(active, changes)) return { done: active };
    const whole = completed(active, changes);
    if ('refuse' in whole) return whole;
    const path = { plan_code: code, plan_id: active.plan_id };
    return { request: { to: change.request, path, ...whole } };
  },
};

export const upsert = operation({
  value: 'upsert',
  name: 'Create or Update',
  action: 'Create or update plan',
  description: 'Create a new record, or update the current one if it already exists (upsert)',
  moneyEffect: 'No money moves until a customer subscribes.',
  request,
  money: moneyOfChange,
  fields: newPlanFields(
    'Code of the plan. If an active plan has this code, the node updates that plan. Otherwise, the node creates a plan. If the plan has subscribers, they keep the current version, which is archived, and the service creates a new version with a new plan ID.',
    true,
  ),
  additional: moreFields(body, 'A new plan defaults to U.S. dollars.'),
  check: (values) => checkNewPlan(values.body),
  steps: { sends: [request, change.request], each: [createOrChange] },
  setsState: true,
  present: withArchived,
  simplified: changedFields,
  addedBySimplify: ['archived_plan_id'],
  summary: upsertedPlan,
  sameObject: 'plan_code',
  lookUp:
    'Nothing was charged. Look for plan {plan_code} in Plan > Get Many. Running this item again is safe, because the node checks the plan first.',
});
