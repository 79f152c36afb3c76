import { refusedLater, rememberedFailure } from './earlier-tries';
import { inPart, notGoneOn } from './in-part';
import { recallParts } from './parts';
import type { Planned } from './plan';
import { notStarted, processRequest } from './process';
import type { RequestResult } from './results';
import type { SharedRun } from './shared-run';
import { processSteps } from './steps';
import type { Failure, PlannedRequest } from './types';

/**
 * Sends all that is planned. In-flight requests are awaited and their results kept, whatever becomes of the others: nothing
 * is thrown from here on.
 */
export async function sendAll(shared: SharedRun, planned: Planned[]): Promise<RequestResult[]> {
  const { memory, journal, keys, budget } = shared;
  const results = await Promise.all(
    planned.map(async (plan) => {
      try {
        return 'failure' in plan ? withoutSending(plan, memory) : await processPlanned(shared, plan.request);
      } catch {
        return resultOfMistake(plan);
      }
    }),
  );
  await Promise.allSettled([journal.end(), keys.end()]);
  quietly(() => budget.end());
  return results;
}

/** A mistake of the node. What may have been sent must not look like "not sent". */
function resultOfMistake(plan: Planned): RequestResult {
  if ('failure' in plan) return { items: [plan.item], kind: 'failed', failure: plan.failure };
  const { items, effect } = plan.request;
  const message = 'The node could not process this item';
  return { items, kind: 'failed', failure: { outcome: 'unknown', message, advice: '', reads: effect === 'reads' } };
}

const processPlanned = async (shared: SharedRun, request: PlannedRequest): Promise<RequestResult> =>
  request.operation.steps ? await processSteps(shared, request) : await processRequest(shared, request);

/** What is told of an item that is not sent: an earlier try may have done it, or left it unknown. */
export function withoutSending(plan: Planned, memory: SharedRun['memory']): RequestResult {
  if ('failure' in plan) {
    const known = memory.standing?.(plan.item);
    return { items: [plan.item], kind: 'failed', failure: known ? refusedLater(plan.failure, known) : plan.failure };
  }
  const { items, effect } = plan.request;
  if (effect === 'reads') return notStarted(memory, plan.request);
  const { done, next, stop } = recallParts(memory, plan.request);
  const told = (failure: Failure) => inPart(failure, done, plan.request);
  if (!next) return { items, kind: 'done', records: done.at(-1)?.records ?? [], remembered: true };
  if (stop) return { items, kind: 'failed', failure: told(rememberedFailure(stop, next)), remembered: true };
  const result = notStarted(memory, next);
  if (done.length === 0 || result.kind === 'done') return result;
  return { items, kind: 'failed', failure: told(result.kind === 'failed' ? result.failure : notGoneOn()) };
}

/** Runs what the result does not depend on. An error there must not cost the result. */
export function quietly(task: () => void): void {
  try {
    task();
  } catch {
    // The results stand.
  }
}
