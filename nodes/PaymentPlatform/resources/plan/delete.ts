import { merchantId } from '../../fields/common';
import { locator } from '../../fields/kinds/locator';
import { operation, type ValuesOf } from '../../model/operation';
import type { Step } from '../../model/types';
import { comparableText } from '../../shared/objects';
import type { Plan } from './fields';
import { DELETED, lookForPlans } from './versions';
import * as wire from '../../wire/operations';

const { path, query, request } = wire.deletePlan;

/** The list of plans may lack a version, so the node deletes even a version that isn't listed. */
const deleteOnce: Step<ValuesOf<'deletePlan'>, Plan> = {
  look: (values) => lookForPlans('plan_id', values.path.plan_id, { ...values, body: values.query }),
  decide: (found, values) => {
    const version = found.find((one) => comparableText(one.plan_id) === comparableText(values.path.plan_id));
    if (version?.status === DELETED) return { done: version };
    return { request: { to: request, query: values.query } };
  },
};

export const deletePlan = operation({
  value: 'delete',
  name: 'Delete',
  action: 'Delete plan',
  description:
    "Delete a plan permanently and cancel all of its subscriptions. This can't be undone. To only close a plan to new subscribers, use Plan > Archive.",
  request,
  fields: [
    locator({
      ...path.plan_id,
      label: 'Plan Version',
      notIdentifying: false,
      description: 'Plan version to delete. Search by name, code, amount or frequency, or enter the plan ID.',
      search: 'searchPlanVersions',
      placeholder: 'e.g. 401',
      hint: "The service cancels all subscriptions to the plan. This can't be undone.",
    }),
  ],
  additional: [merchantId(query.merchant_id)],
  steps: { sends: [request], each: [deleteOnce] },
  setsState: true,
  present: () => ({ deleted: true }),
  summary: (_, { path: { plan_id } }, came) =>
    came === 'unchanged'
      ? `Nothing was sent, because plan ID ${plan_id} is already deleted.`
      : `Deleted plan ID ${plan_id} permanently and canceled all of its subscriptions.`,
  lookUp:
    'Check the status of plan ID {plan_id} in Plan > Get Many. Running this item again is safe, because the node checks the status first.',
});
