import { amountOf } from './amounts';
import { invalidFailure } from './errors';
import { GUARDS } from './guard-parameters';
import type { Planned } from './plan';

/** Sums of decimals as binary fractions have noise far below this, in the currency's main unit. */
const NOISE = 1e-6;

/**
 * Refuses, in input order, the items with which one run of the node would move more than "Refuse More Than in One
 * Execution" allows them. What an earlier try of the run did counts as well, for its items are among these. A tool has
 * one run for each call, so its total is kept elsewhere (see ledger.ts).
 */
export function withinTotal(planned: Planned[]): Planned[] {
  let before = 0;
  return planned.map((plan) => {
    if ('failure' in plan) return plan;
    const { items, options } = plan.request;
    // Under a limit nothing passes of which nobody knows how much it moves (see guard.ts).
    const amount = amountOf(plan.request) ?? 0;
    if (amount > 0 && before + amount > (options.maxTotal ?? Infinity) + NOISE) {
      const found = `${rounded(amount)} after ${rounded(before)} of the items before`;
      const problem = { label: GUARDS.maxTotal, found, allowed: `allows at most ${options.maxTotal}` };
      return { failure: invalidFailure([problem]), item: items[0] ?? 0 };
    }
    before += amount;
    return plan;
  });
}

const rounded = (amount: number) => Number(amount.toFixed(2));
