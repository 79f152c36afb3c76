import type { Answer, Failure } from '../model/failure';
import { originalRequest, recallSteps } from '../model/item-steps';
import type { Planned, PlannedRequest } from '../model/types';
import type { WriteMemory } from '../model/write-memory';
import type { Day } from './day-report';
import { GUARDS } from './guard-parameters';

/**
 * Enforces the option Limit per Day for a run. ReportBudget calculates the day's total from the service's report.
 * NodeBudget counts the node's own requests if the report doesn't show the amounts of the operation.
 */
export interface DayLimit {
  /**
   * Reserves amounts in the order of the items, and refuses items that exceed the limit. Skips items with a stored
   * result, because the node doesn't send these items. An item that may already be done reserves its amount only when
   * the node sends the item.
   */
  within(planned: Planned[], memory: WriteMemory): Promise<Planned[]>;
  /**
   * Reserves the amount of a request that the node is about to send. Ignores a reservation for an earlier day.
   * @returns the reason not to send the request, if any.
   */
  leaves(request: PlannedRequest): Promise<Failure | undefined>;
  /** Records the response, if any. Releases the reserved amount if the request was not applied. */
  settle(request: PlannedRequest, answer?: Answer): void;
  /** Ends the run and releases the reserved amounts of unsent requests. */
  end(): Promise<void> | void;
}

/** Returns the index of the item that a request belongs to. Each step of an item sends its own request. */
export const itemOf = (request: PlannedRequest): number => originalRequest(request).items[0] ?? 0;

/** Returns the next write of an item, or `undefined` if the node sends nothing for the item. */
export function nextWrite(plan: Planned, memory: WriteMemory): PlannedRequest | undefined {
  if ('failure' in plan || plan.request.effect === 'reads') return undefined;
  const { next, stop } = recallSteps(memory, plan.request);
  return stop ? undefined : next;
}

/**
 * Returns the failure of an item that would exceed the limit.
 * @param takenCents total of the day so far, in cents.
 * @param origin source of the total, for the message.
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
    advice: `The limit resets at midnight (${zone}). A person who can edit the workflow can raise the limit in the parameters of the node.`,
  };
}
