import type { Finished, Remembered, WriteMemory } from './write-memory';
import type { PlannedRequest } from './types';

/**
 * Returns the position of a write in the node's run: the item's index and the number of the request within the item.
 */
export const placeOf = ({ items, part }: PlannedRequest): string => `${items[0] ?? 0}.${part}`;

/** Returns the item's own request, even if the node selected a different request to send. */
export const originalRequest = (request: PlannedRequest): PlannedRequest => request.decided?.asked ?? request;

/** Returns the separate writes of a request if it is shared, otherwise the request. */
export const sharesOf = (request: PlannedRequest): PlannedRequest[] => request.shares ?? [request];

/** Returns the writes of an item, in order. */
export function itemStepsOf(request: PlannedRequest): PlannedRequest[] {
  const { steps } = request.operation;
  if (!steps) return [request];
  const last = steps.each.length - 1;
  // The item's next write needs all fields of the record.
  return steps.each.map((_, part) =>
    part === last ? { ...request, part } : { ...request, part, simplify: false, fields: undefined },
  );
}

/** Results of an item's writes, in order. */
export interface RecalledSteps {
  done: Finished[];
  next?: PlannedRequest;
  stop?: Exclude<Remembered, Finished>;
}

/** Recalls the writes of an item, up to the first write that isn't done. Sends no requests. */
export function recallSteps(memory: WriteMemory, request: PlannedRequest): RecalledSteps {
  const done: Finished[] = [];
  for (const next of itemStepsOf(request)) {
    const known = memory.recall(next);
    if (known?.outcome !== 'done') return { done, next, ...(known && { stop: known }) };
    done.push(known);
  }
  return { done };
}

/** Returns the amount that the earlier writes of the item moved or may have moved, in cents. */
export const movedBefore = (memory: WriteMemory, request: PlannedRequest): number =>
  itemStepsOf(originalRequest(request))
    .filter(({ part }) => part < request.part)
    .reduce((sum, one) => sum + memory.moved(one), 0);
