import { amountOf } from '../model/read-amounts';
import { toCents } from '../shared/objects';
import { GUARDS } from '../model/guards';
import { itemOf, movedBefore, recallSteps } from '../model/operation';
import type { Planned, PlannedRequest } from '../model/types';
import type { WriteMemory } from '../model/write-memory';
import type { Failure } from '../model/failure';

/** Limit per Execution. Reserves the items' amounts in cents until the node sends them. */
export class ExecutionLimit {
  private readonly byItem = new Map<number, number>();
  private reserved = 0;

  constructor(private readonly memory: WriteMemory) {}

  /** Reserves the amounts of the items within the limit, and refuses the others. */
  within(planned: Planned[]): Planned[] {
    return planned.map((plan): Planned => {
      if ('failure' in plan || plan.request.effect === 'reads') return plan;
      const { next, stop } = recallSteps(this.memory, plan.request);
      if (!next || stop) return plan;
      if (plan.request.options.existing) return plan;
      const amount = (toCents(amountOf(plan.request) ?? 0) - movedBefore(this.memory, next)) / 100;
      const failure = overLimit(plan.request, this.memory.movedCents + this.reserved, amount);
      if (failure) return { failure, item: itemOf(plan.request), refused: plan.request };
      this.reserve(plan.request, toCents(amount));
      return plan;
    });
  }

  /**
   * Uses a reserved amount. Must run right before the node records the write.
   * @returns the failure if the request would exceed the limit. A request within its reservation never fails.
   */
  take(request: PlannedRequest): Failure | undefined {
    const own = this.of(request);
    const sum = amountOf(request) ?? 0;
    if (toCents(sum) > own) {
      const over = overLimit(request, this.memory.movedCents + this.reserved - own, sum);
      if (over) return over;
    }
    this.reserve(request, Math.max(0, own - toCents(sum)));
    return undefined;
  }

  private reserve(request: PlannedRequest, cents: number): void {
    this.reserved += cents - this.of(request);
    this.byItem.set(itemOf(request), cents);
  }

  private of(request: PlannedRequest): number {
    return this.byItem.get(itemOf(request)) ?? 0;
  }
}

/**
 * A total that isn't a number is over every limit.
 * @param limit maximum total. Defaults to no limit.
 */
export const isOverTotal = (movedCents: number, amount: number, limit: number | undefined): boolean =>
  limit !== undefined && !(amount <= 0) && !(movedCents + toCents(amount) <= toCents(limit));

/** @param movedCents amount that the execution already moved or reserved. */
const overLimit = ({ options: { limitPerExecution } }: PlannedRequest, movedCents: number, amount: number) =>
  isOverTotal(movedCents, amount, limitPerExecution)
    ? overLimitFailure(limitPerExecution, movedCents, amount)
    : undefined;

const overLimitFailure = (limitPerExecution: number | undefined, movedCents: number, amount: number): Failure => ({
  outcome: 'invalid',
  message: `"${GUARDS.limitPerExecution}" allows ${limitPerExecution} in total. The total so far is ${movedCents / 100}, and this request would add ${amount}`,
  advice: 'A person who can edit the workflow can raise the limit in the parameters of the node.',
});
