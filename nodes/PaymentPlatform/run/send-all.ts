import { groupKnownShares, withShares } from './batch-items';
import { sharesOf } from '../model/item-steps';
import type { Planned, PlannedRequest } from '../model/types';
import { processRead } from './process-read';
import { processWrite } from './process-write';
import { refuseForEarlierTry } from './write-results';
import type { Remembered } from '../model/write-memory';
import type { RequestResult } from '../model/results';
import { correctByDatabase, withoutSending, type EarlierTries } from './results-without-sending';
import type { SharedRun } from './shared-run';

/** Sends all requests and waits for the results. Never throws, so that other items keep their results. */
export async function sendAll(shared: SharedRun, planned: Planned[]): Promise<RequestResult[]> {
  const { memory, keys, dayLimit } = shared;
  const results = await Promise.all(
    planned.map(async (plan) => {
      try {
        return 'failure' in plan ? withoutSending(plan, memory) : await processPlanned(shared, plan.request);
      } catch {
        return [resultOfMistake(plan)];
      }
    }),
  );
  const told = await correctResults(shared, planned, results);
  await keys.end().catch(() => undefined);
  try {
    await dayLimit?.end();
  } catch {
    // The error is ignored, because the results do not depend on the limit.
  }
  return told;
}

/** Corrects a retry's results from n8n's database. If the database fails, returns the results unchanged. */
export const correctResults = async (
  tries: EarlierTries,
  planned: Planned[],
  results: RequestResult[][],
): Promise<RequestResult[]> =>
  tries.keys.mayBeRetry ? await correctByDatabase(tries, planned, results).catch(() => results.flat()) : results.flat();

function resultOfMistake(plan: Planned): RequestResult {
  if ('failure' in plan) return { items: [plan.item], kind: 'failed', failure: plan.failure };
  const { items, effect } = plan.request;
  const message = 'The node could not process this item';
  return { items, kind: 'failed', failure: { outcome: 'unknown', message, advice: '', reads: effect === 'reads' } };
}

/** Sends the requests of an item. Never throws for connection errors or error responses. */
export const processRequest = async (shared: SharedRun, request: PlannedRequest): Promise<RequestResult> =>
  request.effect === 'reads' ? await processRead(shared, request) : await processWrite(shared, request);

async function processPlanned(shared: SharedRun, request: PlannedRequest): Promise<RequestResult[]> {
  if (request.shares) return await processShares(shared, request);
  return [await processRequest(shared, request)];
}

async function processShares(shared: SharedRun, request: PlannedRequest): Promise<RequestResult[]> {
  const { memory, earlier } = shared;
  const known = new Map<PlannedRequest, Remembered>();
  const isFree = (share: PlannedRequest, standing: Remembered | undefined) => {
    if (standing) known.set(share, standing);
    return !standing;
  };
  let left = sharesOf(request).filter((share) => isFree(share, memory.recall(share)));
  let last: RequestResult[] = [];
  while (left.length > 0) {
    const whole = known.size === 0 ? request : withShares(request, left);
    const result = await processRequest(shared, whole);
    const shares = sharesOf(whole);
    const isWhole = !shares.some((share) => earlier.has(share));
    left = shares.filter((share) => isFree(share, isWhole ? undefined : (memory.recall(share) ?? earlier.get(share))));
    if (isWhole) last = [result];
    if (isWhole) break;
  }
  return [
    ...groupKnownShares(request, known).map((one) => refuseForEarlierTry(shared, one.request, one.known)),
    ...last,
  ];
}
