import { merchantId } from '../../fields/common';
import { text } from '../../fields/kinds/text';
import { withHint } from '../../fields/with-hint';
import { operation, type ValuesOf } from '../../model/operation';
import type { Step } from '../../model/types';
import { calledBy, mainFields, plan, type Plan } from './fields';
import { activeOf, ARCHIVED, lookAtVersions, refusedWithout } from './versions';
import * as wire from '../../wire/operations';

const { body, path, request } = wire.archivePlan;

/** The service asks for the name of the plan, which its record has. */
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
    'Close a plan for new subscribers. Its subscriptions go on and are charged as before. An archived plan can not be changed or made active again.',
  request,
  fields: [
    withHint(
      plan(path.plan_code, {
        description:
          'What is archived for good; its subscriptions go on. Search the list of active plans by name, code, amount or frequency, or give the code of the plan.',
      }),
      "This can't be undone. New customers can't subscribe to the plan.",
    ),
  ],
  additional: [
    text({
      ...body.plan_name,
      required: false,
      label: 'Plan Name',
      wording: true,
      description: 'Name of the plan, which the service asks for. The one it has unless given.',
      placeholder: 'e.g. Monthly support',
    }),
    merchantId(body.merchant_id),
  ],
  steps: { sends: [request], each: [archiveActive] },
  setsState: true,
  simplified: mainFields,
  summary: (record, _, came) =>
    came === 'unchanged'
      ? `Plan ${calledBy(record)} was archived before, so nothing was sent. Its subscriptions are charged as before.`
      : `Archived plan ${calledBy(record)}. New customers can't subscribe to the plan, and its subscriptions are charged as before.`,
  lookUp:
    'Look for the plan {plan_code} in Plan > Get Many: its status tells. Running this item again looks first, too.',
});
