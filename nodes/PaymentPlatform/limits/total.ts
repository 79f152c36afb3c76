import { amountOf } from '../model/read-amounts';
import { toCents } from '../shared/objects';
import { GUARDS } from './guard-parameters';
import { movedBefore, recallSteps } from '../model/operation';
import type { Planned, PlannedRequest } from '../model/types';
import type { WriteMemory } from '../model/write-memory';
import type { Failure } from '../model/failure';

export const isOverTotal = (movedCents: number, amount: number, limitPerExecution: number | undefined) =>
  limitPerExecution !== undefined && amount > 0 && movedCents + toCents(amount) > toCents(limitPerExecution);

/** @param movedCents amount that the execution already moved or reserved. */
export const overTotalFailure = (
  limitPerExecution: number | undefined,
  movedCents: number,
  amount: number,
): Failure => ({
  outcome: 'invalid',
  message: `"${GUARDS.limitPerExecution}" allows ${limitPerExecution} in total. The total so far is ${movedCents / 100}, and this request would add ${amount}`,
  advice: 'A person who can edit the workflow can raise the limit in the parameters of the node.',
});

/** Amounts in cents that a run reserves until the node sends the items. */
export class KeptRoom {
  private readonly byItem = new Map<number, number>();
  private all = 0;

  keep({ items: [item = 0] }: PlannedRequest, cents: number): void {
    this.all += cents - this.of(item);
    this.byItem.set(item, cents);
  }

  /**
   * Uses a reserved amount.
   * @param movedCents amount that the execution moved without this request.
   * @returns the failure if the request would exceed the limit. A request within its reservation never fails.
   */
  take(request: PlannedRequest, movedCents: number): Failure | undefined {
    const { items, options } = request;
    const own = this.of(items[0] ?? 0);
    const amount = amountOf(request) ?? 0;
    const taken = movedCents + this.all - own;
    const lacking = toCents(amount) > own;
    if (lacking && isOverTotal(taken, amount, options.limitPerExecution))
      return overTotalFailure(options.limitPerExecution, taken, amount);
    this.keep(request, Math.max(0, own - toCents(amount)));
    return undefined;
  }

  private of(item: number): number {
    return this.byItem.get(item) ?? 0;
  }
}

/** An execution's writes, with moved and reserved amounts. */
export type MemoryWithRoom = WriteMemory & { readonly movedCents: number; readonly room: KeptRoom };

/** Reserves the amounts of the items within the limit, and refuses the others. */
export function withinTotal(planned: Planned[], memory: MemoryWithRoom): Planned[] {
  let movedCents = memory.movedCents;
  return planned.map((plan): Planned => {
    if ('failure' in plan || plan.request.effect === 'reads') return plan;
    const { next, stop } = recallSteps(memory, plan.request);
    if (!next || stop) return plan;
    const { items, options } = plan.request;
    if (options.existing) return plan;
    const amount = (toCents(amountOf(plan.request) ?? 0) - movedBefore(memory, next)) / 100;
    if (isOverTotal(movedCents, amount, options.limitPerExecution))
      return {
        failure: overTotalFailure(options.limitPerExecution, movedCents, amount),
        item: items[0] ?? 0,
        refused: plan.request,
      };
    movedCents += toCents(amount);
    memory.room.keep(plan.request, toCents(amount));
    return plan;
  });
}
