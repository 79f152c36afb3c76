import type { IExecuteFunctions } from 'n8n-workflow';

import { refusedLater, rememberedFailure, partlyDone, stoppedBetweenSteps } from '../messages/earlier-tries';
import type { Failure } from '../model/failure';
import { recallSteps, sharesOf } from '../model/item-steps';
import type { RequestResult } from '../model/results';
import type { Planned, PlannedRequest } from '../model/types';
import type { WriteMemory } from '../model/write-memory';
import { begunPlaces } from '../once/begun-places';
import type { DatabaseKeys } from '../once/database-keys';
import { notStarted } from './write-results';

/** Parts of a run that contain data about earlier attempts. */
export interface EarlierTries {
  context: IExecuteFunctions;
  keys: DatabaseKeys;
  memory: WriteMemory;
}

/**
 * Returns the results of an item that the node doesn't send. An earlier attempt may have completed the item or left an
 * unknown outcome.
 */
export function withoutSending(plan: Planned, memory: WriteMemory): RequestResult[] {
  if ('failure' in plan) {
    const known = memory.standing?.(plan.item);
    return [{ items: [plan.item], kind: 'failed', failure: known ? refusedLater(plan.failure, known) : plan.failure }];
  }
  return sharesOf(plan.request).map((request) => notSent(request, memory));
}

function notSent(request: PlannedRequest, memory: WriteMemory): RequestResult {
  const { items, effect } = request;
  if (effect === 'reads') return notStarted(memory, request);
  const { done, next, stop } = recallSteps(memory, request);
  const told = (failure: Failure) => partlyDone(failure, done, request);
  if (!next) return { items, kind: 'done', records: done.at(-1)?.records ?? [], remembered: true };
  if (stop) return { items, kind: 'failed', failure: told(rememberedFailure(stop, next)), remembered: true };
  const result = notStarted(memory, next);
  if (done.length === 0 || result.kind === 'done') return result;
  return { items, kind: 'failed', failure: told(result.kind === 'failed' ? result.failure : stoppedBetweenSteps()) };
}

/**
 * Adds writes from n8n's database to the memory. A retry needs these writes for items that the node doesn't send, and
 * to calculate the amount that the execution has moved.
 */
export async function recallFromDatabase(
  { keys, memory }: Omit<EarlierTries, 'context'>,
  requests: PlannedRequest[],
): Promise<void> {
  if (!keys.isRetry) return;
  await Promise.all(requests.flatMap(sharesOf).map(async (share) => await recallOne(keys, memory, share)));
}

/** Checks the steps of an item in order, up to the first step that no attempt began. */
async function recallOne(keys: DatabaseKeys, memory: WriteMemory, request: PlannedRequest): Promise<void> {
  for (;;) {
    const { next, stop } = recallSteps(memory, request);
    if (!next || stop || keys.hasAsked(next)) return;
    const witness = await keys.earlier(next, memory.attempt(next)).catch(() => undefined);
    if (!witness || !memory.witnessed(next, witness)) return;
  }
}

/**
 * Corrects the results of a retry for items with an outcome such as "not sent". After a kill, n8n's database may show
 * that an earlier attempt began an item. Before this call, the node has checked only the items that it sends.
 * @param results results of each plan.
 */
export async function correctByDatabase(
  tries: EarlierTries,
  planned: Planned[],
  results: RequestResult[][],
): Promise<RequestResult[]> {
  const { context, memory } = tries;
  const resultsOf = (index: number) => results[index] ?? [];
  const unsent = planned.flatMap((plan, index) => (resultsOf(index).some(isNotApplied) ? writesOf(plan) : []));
  await recallFromDatabase(tries, unsent);
  const told = planned.flatMap((plan, index) => {
    const [request] = writesOf(plan);
    return resultsOf(index).flatMap((result) =>
      request && isNotApplied(result) ? corrected(memory, request, result) : [result],
    );
  });
  const byPlace = planned.flatMap((plan) => {
    if ('failure' in plan) return [plan.item];
    // After a change of the account, only positions identify the writes of earlier attempts.
    const isOther = sharesOf(plan.request).some((share) => recallSteps(memory, share).stop?.outcome === 'otherAccount');
    return isOther && plan.request.effect !== 'reads' ? plan.request.items : [];
  });
  return await correctByPlaces(context, told, byPlace);
}

/** Returns the write of an item, even if a guard refused the item. */
function writesOf(plan: Planned): PlannedRequest[] {
  const request = 'request' in plan ? plan.request : plan.refused;
  return request && request.effect !== 'reads' ? [request] : [];
}

/**
 * Corrects the results of items that the node can't plan now. The node can compare only the positions of these items.
 * @param refused indexes of these items.
 */
export async function correctByPlaces(
  context: IExecuteFunctions,
  results: RequestResult[],
  refused: number[],
): Promise<RequestResult[]> {
  const open = new Set(results.filter(isNotApplied).flatMap(({ items }) => items));
  const begun = await begunPlaces(
    context,
    refused.filter((item) => open.has(item)),
  );
  return results.map((result) =>
    result.items.some((item) => begun.has(item)) ? later(result, noted('place')) : result,
  );
}

/** Outcomes of items that the service did not apply. */
const NOT_APPLIED: ReadonlySet<Failure['outcome']> = new Set<Failure['outcome']>(['invalid', 'notSent', 'declined']);

const isNotApplied = (result: RequestResult): boolean =>
  result.kind === 'notStarted' || (result.kind === 'failed' && NOT_APPLIED.has(result.failure.outcome));

/** Returns a result for each item of a request, corrected by the current content of the memory. */
function corrected(memory: WriteMemory, request: PlannedRequest, result: RequestResult): RequestResult[] {
  const shares = sharesOf(request).filter(({ items: [item = -1] }) => result.items.includes(item));
  const known = shares.map((share) => notSent(share, memory));
  if (known.every((one) => isNotApplied(one))) return [result];
  return known.map((one, index): RequestResult => {
    if (isNotApplied(one)) return { ...result, items: one.items };
    if (result.kind !== 'failed') return one;
    const { stop } = recallSteps(memory, shares[index] ?? request);
    const isEqual = stop?.outcome === 'unknown' && stop.witness === 'sameContent';
    const became = one.kind === 'done' ? { ...one, outcome: 'done' as const } : noted(isEqual ? 'content' : 'place');
    return later({ ...result, items: one.items }, became);
  });
}

const noted = (by: 'place' | 'content') => ({ outcome: 'unknown' as const, noted: by });

const later = (result: RequestResult, known: Parameters<typeof refusedLater>[1]): RequestResult =>
  result.kind === 'failed' ? { ...result, failure: refusedLater(result.failure, known), remembered: true } : result;
