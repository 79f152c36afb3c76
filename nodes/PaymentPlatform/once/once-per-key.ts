import type { IExecuteFunctions } from 'n8n-workflow';

import { isSaved } from '../n8n/lineage';
import { GUARDS } from '../limits/guard-parameters';
import type { Planned } from '../model/types';
import type { Failure } from '../model/failure';

/** Refuses repeated keys in a run, and all keys of an unsaved workflow, before the node sends anything. */
export function refuseRepeatedKeys(planned: Planned[], context: IExecuteFunctions): Planned[] {
  const rows = new Map<string, number>();
  const canKeep = isSaved(context.getWorkflow().id);
  return planned.map((plan): Planned => {
    if ('failure' in plan || plan.request.effect === 'reads') return plan;
    const { items, options } = plan.request;
    const item = items[0] ?? 0;
    if (options.oncePerKey === undefined) return plan;
    if (!canKeep) return { failure: WORKFLOW_NOT_SAVED, item };
    const first = rows.get(options.oncePerKey);
    if (first !== undefined) return { failure: sameKey(first), item };
    rows.set(options.oncePerKey, item);
    return plan;
  });
}

const ONCE = `"${GUARDS.oncePerKey}"`;

export const KEY_DONE: Failure = {
  outcome: 'doneBefore',
  message: `${ONCE}: this workflow already completed an item with the same key in this or an earlier execution, so this item was not sent`,
  advice: 'To send this item too, use a different key.',
};

export const WORKFLOW_NOT_SAVED: Failure = {
  outcome: 'invalid',
  message: `${ONCE} works only in a saved workflow`,
  advice: 'Save the workflow and run it again.',
};

export const KEY_NOT_KEPT: Failure = {
  outcome: 'notSent',
  message: `n8n's database did not save the key of ${ONCE}, so the item was not sent`,
  advice: "Run this item again when n8n's database works.",
};

const sameKey = (row: number): Failure => ({
  outcome: 'doneBefore',
  message: `${ONCE}: row ${row + 1} of this run has the same key, so this row was not sent`,
  advice: 'Use a different key for each row, or remove this row.',
});
