import type { Finished, Remembered, WriteMemory } from './write-memory';
import type { PlannedRequest } from './types';

/** Returns the place of a write in its round: the item and the number of the request within the item. */
export const placeOf = ({ items, part }: PlannedRequest): string => `${items[0] ?? 0}.${part}`;

/** Returns the request that the item asked for, even if a step selected another request. */
export const originalRequest = (request: PlannedRequest): PlannedRequest => request.decided?.asked ?? request;

/** Returns the writes of a request that several items share, one for each object. Other requests are a single write. */
export const sharesOf = (request: PlannedRequest): PlannedRequest[] => request.shares ?? [request];

/** Returns the writes of an item, one for each step. Each has its own place in the memory. */
export function itemStepsOf(request: PlannedRequest): PlannedRequest[] {
  const { steps } = request.operation;
  if (!steps) return [request];
  const last = steps.each.length - 1;
  // Intermediate steps keep the whole record, because later steps need it.
  return steps.each.map((_, part) =>
    part === last ? { ...request, part } : { ...request, part, simplify: false, fields: undefined },
  );
}

/** Writes of an item that are in the memory, in their order. */
export interface RecalledSteps {
  done: Finished[];
  /** First write that isn't done. Missing if all are done. */
  next?: PlannedRequest;
  /** Reason not to send the next write. */
  stop?: Exclude<Remembered, Finished>;
}

/** Recalls the writes of an item up to the first one that is not done. Sends no requests. */
export function recallSteps(memory: WriteMemory, request: PlannedRequest): RecalledSteps {
  const done: Finished[] = [];
  for (const next of itemStepsOf(request)) {
    const known = memory.recall(next);
    if (known?.outcome !== 'done') return { done, next, ...(known && { stop: known }) };
    done.push(known);
  }
  return { done };
}

/** Returns what the earlier writes of the item moved or may have moved, in cents. */
export const movedBefore = (memory: WriteMemory, request: PlannedRequest): number =>
  itemStepsOf(originalRequest(request))
    .filter(({ part }) => part < request.part)
    .reduce((sum, one) => sum + memory.moved(one), 0);
