import type { IExecuteFunctions } from 'n8n-workflow';

import { refusedLater, rememberedFailure, partlyDone, stoppedBetweenSteps } from '../messages/earlier-attempts';
import { describeFailure } from '../messages/describe-failure';
import type { Failure } from '../model/failure';
import { recallSteps, sharesOf } from '../model/operation';
import type { RequestResult } from '../model/results';
import type { Planned, PlannedRequest } from '../model/types';
import type { WriteMemory } from '../model/write-memory';
import { begunPlaces } from '../once/begun-places';
import type { DatabaseKeys } from '../once/database-keys';
import { notStarted } from './write-results';

export interface EarlierAttempts {
  context: IExecuteFunctions;
  keys: DatabaseKeys;
  memory: WriteMemory;
}

/** An earlier attempt may have completed the item or left its outcome unknown. */
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

export function withSharedRecord(requests: PlannedRequest[]): PlannedRequest[] {
  const groups = new Map<string, Set<PlannedRequest>>();
  for (const request of requests) {
    const key = request.operation.footprint?.key(request.values);
    if (key !== undefined) groups.set(key, (groups.get(key) ?? new Set()).add(request));
  }
  // A record shows the values of its request, so it also has the keys of these values.
  for (const request of requests)
    for (const key of request.operation.footprint?.keysOf?.(request.values.body) ?? []) groups.get(key)?.add(request);
  const shared = [...groups.values()].filter(({ size }) => size > 1);
  return [...new Set(shared.flatMap((group) => [...group]))];
}

/**
 * Recalls writes from n8n's database. In a retry, the execution's total then includes their amounts, and no other item
 * gets their records.
 * @returns the writes that an earlier attempt may have sent, because n8n's database failed.
 */
export async function recallFromDatabase(
  { keys, memory }: Omit<EarlierAttempts, 'context'>,
  requests: PlannedRequest[],
): Promise<Set<PlannedRequest>> {
  const unread = new Set<PlannedRequest>();
  const recall = async (share: PlannedRequest) =>
    await recallOne(keys, memory, share).catch(() => {
      unread.add(share);
    });
  if (keys.mayBeRetry) await Promise.all(requests.flatMap(sharesOf).map(recall));
  return unread;
}

async function recallOne(keys: DatabaseKeys, memory: WriteMemory, request: PlannedRequest): Promise<void> {
  for (;;) {
    const { next, stop } = recallSteps(memory, request);
    if (!next || stop || keys.hasAsked(next)) return;
    const evidence = await keys.earlier(next, memory.attempt(next));
    if (!evidence || !memory.addEvidence(next, evidence)) return;
  }
}

/**
 * If n8n was killed, its database may show that an earlier attempt began to send an item that a retry reports as not
 * sent.
 */
export async function correctByDatabase(
  attempts: EarlierAttempts,
  planned: Planned[],
  results: RequestResult[][],
): Promise<RequestResult[]> {
  const { context, memory } = attempts;
  const resultsOf = (index: number) => results[index] ?? [];
  const unsent = planned.flatMap((plan, index) => (resultsOf(index).some(isNotApplied) ? writesOf(plan) : []));
  const unread = await recallFromDatabase(attempts, unsent);
  const told = planned.flatMap((plan, index) => {
    const [request] = writesOf(plan);
    return resultsOf(index).flatMap((result) =>
      request && isNotApplied(result) ? corrected(memory, request, result, unread) : [result],
    );
  });
  const byPlace = planned.flatMap((plan) => {
    if ('failure' in plan) return [plan.item];
    // If the user changed the account, the node can recognize earlier attempts only by their item index.
    const isOther = sharesOf(plan.request).some((share) => isOfOtherAccount(memory, share));
    return isOther && plan.request.effect !== 'reads' ? plan.request.items : [];
  });
  return await correctByPlaces(context, told, byPlace);
}

const isOfOtherAccount = (memory: WriteMemory, request: PlannedRequest): boolean =>
  recallSteps(memory, request).stop?.outcome === 'otherAccount';

function writesOf(plan: Planned): PlannedRequest[] {
  const request = 'request' in plan ? plan.request : plan.refused;
  return request && request.effect !== 'reads' ? [request] : [];
}

/**
 * Items that the node could not prepare have only their item indexes to compare with earlier attempts.
 * @param refused indexes of these items.
 */
export async function correctByPlaces(
  context: IExecuteFunctions,
  results: RequestResult[],
  refused: number[],
): Promise<RequestResult[]> {
  const open = new Set(results.filter(isNotApplied).flatMap(({ items }) => items));
  const asked = refused.filter((item) => open.has(item));
  const begun = await begunPlaces(context, asked).catch(() => undefined);
  const told = begun ?? new Set(asked);
  const by = begun ? 'place' : 'unread';
  return results.map((result) => (result.items.some((item) => told.has(item)) ? later(result, noted(by)) : result));
}

const NOT_APPLIED: ReadonlySet<Failure['outcome']> = new Set<Failure['outcome']>(['invalid', 'notSent', 'declined']);

const isNotApplied = (result: RequestResult): boolean =>
  result.kind === 'notStarted' || (result.kind === 'failed' && NOT_APPLIED.has(result.failure.outcome));

function corrected(
  memory: WriteMemory,
  request: PlannedRequest,
  result: RequestResult,
  unread: ReadonlySet<PlannedRequest>,
): RequestResult[] {
  const shares = sharesOf(request).filter(({ items: [item = -1] }) => result.items.includes(item));
  const known = shares.map((share) => notSent(share, memory));
  // The node can't tell whether an attempt with another account began the item.
  const isOther = result.kind === 'notStarted' && shares.some((share) => isOfOtherAccount(memory, share));
  if (isOther) return known;
  if (shares.some((share) => unread.has(share))) return [later(asFailed(result, request), noted('unread'))];
  if (known.every((one) => isNotApplied(one))) return [result];
  return known.map((one, index): RequestResult => {
    if (isNotApplied(one)) return { ...result, items: one.items };
    if (result.kind !== 'failed') return one;
    const { stop } = recallSteps(memory, shares[index] ?? request);
    const isEqual = stop?.outcome === 'unknown' && stop.evidence === 'sameContent';
    const became = one.kind === 'done' ? { ...one, outcome: 'done' as const } : noted(isEqual ? 'content' : 'place');
    return later({ ...result, items: one.items }, became);
  });
}

const asFailed = (result: RequestResult, request: PlannedRequest): RequestResult =>
  result.kind === 'notStarted'
    ? { ...result, kind: 'failed', failure: describeFailure(stoppedBetweenSteps(result.reason), request) }
    : result;

const noted = (by: 'place' | 'content' | 'unread') => ({ outcome: 'unknown' as const, noted: by });

const later = (result: RequestResult, known: Parameters<typeof refusedLater>[1]): RequestResult =>
  result.kind === 'failed' ? { ...result, failure: refusedLater(result.failure, known), remembered: true } : result;
