import { toCents } from '../shared/cents';
import { amountOf } from './amounts';
import { GUARDS } from './guard-parameters';
import type { Memory } from './memory';
import { movedBefore, recallParts } from './parts';
import type { Planned } from './plan';
import type { Failure } from './types';

/** Whether a payment would take what an execution moves over its limit (option Refuse More Than in One Execution). */
export const isOverTotal = (movedCents: number, amount: number, maxTotal: number | undefined) =>
  maxTotal !== undefined && amount > 0 && movedCents + toCents(amount) > toCents(maxTotal);

export const overTotalFailure = (maxTotal: number | undefined, movedCents: number, amount: number): Failure => ({
  outcome: 'invalid',
  message: `"${GUARDS.maxTotal}" allows ${maxTotal} in all; ${movedCents / 100} of it is taken, and this would add ${amount}`,
  advice: 'A person can raise the limit in the node.',
});

/**
 * Refuses, before anything is sent, the items by which the payments of an execution would go over its limit. What the
 * memory answers is not sent, and so not counted again.
 */
export function withinTotal(planned: Planned[], memory: Memory): Planned[] {
  let movedCents = memory.movedCents;
  return planned.map((plan): Planned => {
    if ('failure' in plan || plan.request.effect === 'reads') return plan;
    const { next, stop } = recallParts(memory, plan.request);
    if (!next || stop) return plan;
    const { items, options } = plan.request;
    const amount = (toCents(amountOf(plan.request) ?? 0) - movedBefore(memory, next)) / 100;
    if (isOverTotal(movedCents, amount, options.maxTotal))
      return { failure: overTotalFailure(options.maxTotal, movedCents, amount), item: items[0] ?? 0 };
    movedCents += toCents(amount);
    return plan;
  });
}
