import type { Answer, Failure } from '../model/failure';
import { originalRequest, recallSteps } from '../model/item-steps';
import type { Planned, PlannedRequest } from '../model/types';
import type { WriteMemory } from '../model/write-memory';
import type { Day } from './day-report';
import { GUARDS } from './guard-parameters';

/**
 * Enforces the option Limit per Day for a run. The total of the day comes from the service's report (ReportBudget). If
 * the report doesn't show the amounts of the operation, the total comes from the node's own requests (NodeBudget).
 */
export interface DayLimit {
  /**
   * Reserves amounts for the requests to send and refuses items that exceed the limit, in the order of the items. Items
   * with a result in the memory aren't sent, so they don't count. An item that may already be done reserves its amount
   * only when it is sent.
   */
  within(planned: Planned[], memory: WriteMemory): Promise<Planned[]>;
  /**
   * Reserves the amount of a request that is about to be sent. Ignores a reservation for an earlier day.
   * @returns the reason not to send it.
   */
  leaves(request: PlannedRequest): Promise<Failure | undefined>;
  /** Records the response of a request, or that it was not sent. A request that was not applied releases its amount. */
  settle(request: PlannedRequest, answer?: Answer): void;
  /** Ends the run and releases the amounts of requests that weren't sent. */
  end(): Promise<void> | void;
}

/** Returns the number of the item that a request belongs to. Each step of an item is another request. */
export const itemOf = (request: PlannedRequest): number => originalRequest(request).items[0] ?? 0;

/** Returns the next write of an item, or `undefined` if nothing is sent for the item. */
export function nextWrite(plan: Planned, memory: WriteMemory): PlannedRequest | undefined {
  if ('failure' in plan || plan.request.effect === 'reads') return undefined;
  const { next, stop } = recallSteps(memory, plan.request);
  return stop ? undefined : next;
}

/**
 * Returns the failure of an item that would exceed the limit.
 * @param takenCents total of the day so far.
 * @param origin origin of that total, for the message.
 */
export function overDayFailure(
  limit: number | undefined,
  takenCents: number,
  origin: string,
  addsCents: number,
  { zone }: Day,
): Failure {
  return {
    outcome: 'invalid',
    message: `"${GUARDS.limitPerDay}" allows ${limit} per day. Today's total is ${takenCents / 100} (${origin}), and this request would add ${addsCents / 100}`,
    advice: `The limit resets at midnight (${zone}). A person can raise the limit in the settings of the node.`,
  };
}
