import type { Answer, Failure } from '../model/failure';
import { recallSteps } from '../model/operation';
import type { Planned, PlannedRequest } from '../model/types';
import type { WriteMemory } from '../model/write-memory';
import { GUARDS } from '../model/guards';

/**
 * Enforces the Limit per Day option. ReportDayLimit reads the service's report. NodeDayLimit counts the node's own
 * requests. DayWriteRecorder counts the requests of a run without the option.
 */
export interface DayLimit {
  /** Reserves amounts in item order, and refuses items that exceed the limit. */
  within(planned: Planned[], memory: WriteMemory): Promise<Planned[]>;
  /**
   * Reserves the amount of a request right before sending.
   * @returns the reason not to send the request, if any.
   */
  leaves(request: PlannedRequest): Promise<Failure | undefined>;
  /** Releases the reserved amount if the service did not apply the request. */
  settle(request: PlannedRequest, answer?: Answer): void;
  /** Releases the reserved amounts of unsent requests. */
  end(): Promise<void> | void;
}

/** Returns `undefined` if the node sends nothing for the item. */
export function nextWrite(plan: Planned, memory: WriteMemory): PlannedRequest | undefined {
  if ('failure' in plan || plan.request.effect === 'reads') return undefined;
  const { next, stop } = recallSteps(memory, plan.request);
  return stop ? undefined : next;
}

/**
 * @param takenCents total of the day so far.
 * @param origin source of the total, for the message.
 */
export function overDayFailure(
  limit: number | undefined,
  takenCents: number,
  origin: string,
  addsCents: number,
  zone: string,
): Failure {
  return {
    outcome: 'invalid',
    message: `"${GUARDS.limitPerDay}" allows ${limit} per day. Today's total is ${takenCents / 100} (${origin}), and this request would add ${addsCents / 100}`,
    advice: `The limit resets at midnight (${zone}). A person who can edit the workflow can raise the limit in the parameters of the node.`,
  };
}
