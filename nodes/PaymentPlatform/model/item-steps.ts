import type { Finished, Remembered, WriteMemory } from './write-memory';
import type { PlannedRequest } from './types';

/** The place of a write in its round: the item, and the number of the request within the item. */
export const placeOf = ({ items, part }: PlannedRequest): string => `${items[0] ?? 0}.${part}`;

/** What the item asks for: the request itself, unless a step decided it. */
export const originalRequest = (request: PlannedRequest): PlannedRequest => request.decided?.asked ?? request;

/** The writes of a request that many items share: one for each object. Any other request is one write. */
export const sharesOf = (request: PlannedRequest): PlannedRequest[] => request.shares ?? [request];

/** The writes of an item, each with its own place in the memory: one, or one for each step. */
export function itemStepsOf(request: PlannedRequest): PlannedRequest[] {
  const { steps } = request.operation;
  if (!steps) return [request];
  const last = steps.each.length - 1;
  // Of a step on the way all is kept, for those after it.
  return steps.each.map((_, part) =>
    part === last ? { ...request, part } : { ...request, part, simplify: false, fields: undefined },
  );
}

/** What the memory knows of the writes of an item, in their order. */
export interface RecalledSteps {
  done: Finished[];
  /** The first that is not done; none when all are. */
  next?: PlannedRequest;
  /** Why it may not be sent. */
  stop?: Exclude<Remembered, Finished>;
}

/** Recalls the writes of an item as far as they are done. Nothing is looked at for those. */
export function recallSteps(memory: WriteMemory, request: PlannedRequest): RecalledSteps {
  const done: Finished[] = [];
  for (const next of itemStepsOf(request)) {
    const known = memory.recall(next);
    if (known?.outcome !== 'done') return { done, next, ...(known && { stop: known }) };
    done.push(known);
  }
  return { done };
}

/** What the writes of the item before this one moved, or may have moved, in cents. */
export const movedBefore = (memory: WriteMemory, request: PlannedRequest): number =>
  itemStepsOf(originalRequest(request))
    .filter(({ part }) => part < request.part)
    .reduce((sum, one) => sum + memory.moved(one), 0);
