import { merchantId } from '../../fields/common';
import { text } from '../../fields/kinds/text';
import { withHint } from '../../fields/bounds';
import { operation, type ValuesOf } from '../../model/operation';
import type { Step } from '../../model/types';
import { namePlan, mainPlanFields, activePlan, type Plan } from './fields';
import { activeOf, ARCHIVED, lookAtVersions, refusedWithout } from './versions';
import * as wire from '../../wire/operations';

const { body, path, request } = wire.archivePlan;

/** Reads the plan first, because the service requires the plan's name in the request. */
const archiveActive: Step<ValuesOf<'archivePlan'>, Plan> = {
  look: lookAtVersions,
  decide: (versions, values) => {
    const active = activeOf(versions);
    if (active) return { request: { to: request, body: { plan_name: active.plan_name, ...values.body } } };
    const [latest] = versions.filter(({ status }) => status === ARCHIVED).slice(-1);
    return latest ? { done: latest } : refusedWithout(versions);
  },
};

export const archive = operation({
  value: 'archive',
  name: 'Archive',
  action: 'Archive plan',
  description:
    "Close a plan to new subscribers. Existing subscriptions continue. You can't change or reactivate an archived plan.",
  request,
  fields: [
    withHint(
      activePlan(path.plan_code, {
        description: 'Plan to archive. Search active plans by name, code, amount or frequency, or enter the plan code.',
      }),
      "This can't be undone. New customers can't subscribe to the plan.",
    ),
  ],
  additional: [
    text({
      ...body.plan_name,
      required: false,
      label: 'Plan Name',
      isName: true,
      notIdentifying: true,
      description: 'Name of the plan. The service requires a name, so an empty field keeps the current name.',
      placeholder: 'e.g. Monthly support',
    }),
    merchantId(body.merchant_id),
  ],
  steps: { sends: [request], each: [archiveActive] },
  setsState: true,
  simplified: mainPlanFields,
  summary: (record, _, came) =>
    came === 'unchanged'
      ? `Nothing was sent, because plan ${namePlan(record)} is already archived.`
      : `Archived plan ${namePlan(record)} and kept its subscriptions.`,
  lookUp:
    'Check the status of plan {plan_code} in Plan > Get Many. Running this item again is safe, because the node checks the status first.',
});
