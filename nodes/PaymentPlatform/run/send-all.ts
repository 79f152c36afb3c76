import { groupKnownShares, withShares } from './batch-items';
import { describeFailure } from '../messages/describe-failure';
import { isSamePayment } from '../model/identity';
import { KEY_OF_OTHER } from '../once/once-per-key';
import { scopeOfKey } from '../once/write-keys';
import { recallSteps, sharesOf } from '../model/operation';
import type { Planned, PlannedRequest } from '../model/types';
import { UNDECIDED } from '../output/describe-previews';
import { processRead } from './process-read';
import { processWrite } from './process-write';
import { refuseForEarlierAttempt } from './write-results';
import type { Remembered } from '../model/write-memory';
import type { RequestResult } from '../model/results';
import { correctByDatabase, withoutSending, type EarlierAttempts } from './results-without-sending';
import type { SharedRun } from './shared-run';

/** Never throws, so that other items keep their results. */
export async function sendAll(shared: SharedRun, planned: Planned[]): Promise<RequestResult[]> {
  const { memory, keys, dayLimit } = shared;
  const inOrder = new RowsOfKeys(shared);
  const results = await Promise.all(
    planned.map(async (plan) => {
      try {
        if ('failure' in plan) return withoutSending(plan, memory);
        return await inOrder.process(plan.request, async () => await processPlanned(shared, plan.request));
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

/** Adds what n8n's database shows in a retry. After an internal error, returns the results unchanged. */
export const correctResults = async (
  attempts: EarlierAttempts,
  planned: Planned[],
  results: RequestResult[][],
): Promise<RequestResult[]> =>
  attempts.keys.mayBeRetry
    ? await correctByDatabase(attempts, planned, results).catch(() => results.flat())
    : results.flat();

/** Rows with the same key of Once per Key. Each waits for the row before it, which may leave the key free. */
class RowsOfKeys {
  private readonly latest = new Map<string, { request: PlannedRequest; results: Promise<RequestResult[]> }>();

  constructor(private readonly shared: Pick<SharedRun, 'memory' | 'preview'>) {}

  async process(request: PlannedRequest, send: () => Promise<RequestResult[]>): Promise<RequestResult[]> {
    const { options, effect, items } = request;
    if (options.oncePerKey === undefined || effect === 'reads') return await send();
    const { memory, preview } = this.shared;
    const scope = JSON.stringify(scopeOfKey(request));
    const before = this.latest.get(scope);
    const results = this.after(before?.results, async (done) => {
      // An earlier attempt of this execution may have completed the row with another record.
      const isDone = recallSteps(memory, request).next === undefined;
      if (before && !isDone && preview?.isOfUndecidedKey(request, before.request))
        return [{ items, kind: 'failed', failure: UNDECIDED }];
      if (!done || !before || isDone) return await send();
      if (!isSamePayment(before.request, request))
        return [{ items, kind: 'failed', failure: describeFailure(KEY_OF_OTHER, request) }];
      return [{ ...done, items, remembered: true, existed: true }];
    });
    this.latest.set(scope, { request, results });
    return await results;
  }

  private async after(
    before: Promise<RequestResult[]> | undefined,
    next: (done?: Extract<RequestResult, { kind: 'done' }>) => Promise<RequestResult[]>,
  ): Promise<RequestResult[]> {
    const [first] = (await before?.catch(() => [])) ?? [];
    return await next(first?.kind === 'done' ? first : undefined);
  }
}

function resultOfMistake(plan: Planned): RequestResult {
  if ('failure' in plan) return { items: [plan.item], kind: 'failed', failure: plan.failure };
  const { items, effect } = plan.request;
  const message = 'The node could not process this item';
  return { items, kind: 'failed', failure: { outcome: 'unknown', message, advice: '', reads: effect === 'reads' } };
}

/** Never throws for connection errors or error responses. */
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
    ...groupKnownShares(request, known).map((one) => refuseForEarlierAttempt(shared, one.request, one.known)),
    ...last,
  ];
}
