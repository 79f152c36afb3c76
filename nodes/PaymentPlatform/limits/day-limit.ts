import type { Answer, Failure } from '../model/failure';
import { originalRequest, recallSteps } from '../model/item-steps';
import type { Planned, PlannedRequest } from '../model/types';
import type { WriteMemory } from '../model/write-memory';
import type { Day } from './day-report';
import { GUARDS } from './guard-parameters';

/**
 * Enforces the Limit per Day option for a run. ReportBudget calculates the total from the service's report. NodeBudget
 * counts the node's own requests.
 */
export interface DayLimit {
  /** Reserves amounts in the order of the items, and refuses items that exceed the limit. */
  within(planned: Planned[], memory: WriteMemory): Promise<Planned[]>;
  /**
   * Reserves the amount of a request that the node is about to send.
   * @returns the reason not to send the request, if any.
   */
  leaves(request: PlannedRequest): Promise<Failure | undefined>;
  /** Releases the reserved amount if the service did not apply the request. */
  settle(request: PlannedRequest, answer?: Answer): void;
  /** Releases the reserved amounts of unsent requests. */
  end(): Promise<void> | void;
}

/** Returns the index of the input item that a request belongs to. */
export const itemOf = (request: PlannedRequest): number => originalRequest(request).items[0] ?? 0;

/** Returns the next write of an item, or `undefined` if the node sends nothing for it. */
export function nextWrite(plan: Planned, memory: WriteMemory): PlannedRequest | undefined {
  if ('failure' in plan || plan.request.effect === 'reads') return undefined;
  const { next, stop } = recallSteps(memory, plan.request);
  return stop ? undefined : next;
}

/**
 * Returns the failure of an item that would exceed the daily limit.
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
