import type { RunOptions } from '../model/option-types';
import type { Effect } from '../model/types';
import type { Failure } from '../model/failure';

/** Limits for the number and time of attempts. */
export interface Patience extends Pick<RunOptions, 'maxTries' | 'retryTimeMs'> {
  /**
   * Whether to repeat a write with an unknown outcome if the write is safe to repeat. Only the trigger sets this value,
   * for its own webhook.
   */
  repeatsWrites?: boolean;
}

/** Initial and maximum back-off in milliseconds. The back-off doubles with each attempt. */
const FIRST_BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 30_000;

/** Returns whether an HTTP status shows a temporary failure, after which the node may repeat a read. */
const isPassing = (httpStatus: number) => httpStatus === 408 || httpStatus === 429 || httpStatus >= 500;

/**
 * Returns whether the node may repeat a failed request. Every request may be repeated if it was certainly not applied.
 * In addition, a read may be repeated after a temporary failure, and so may a write that is safe to repeat if
 * `repeatsWrites` is set.
 */
export function isRepeatable(
  effect: Effect,
  { outcome, httpStatus }: Failure,
  { repeatsWrites = false }: Pick<Patience, 'repeatsWrites'> = {},
): boolean {
  if (outcome === 'notSent') return true;
  const changesNothing = effect === 'reads' || (effect === 'repeatsSafely' && repeatsWrites);
  return changesNothing && outcome === 'unknown' && (httpStatus === undefined || isPassing(httpStatus));
}

/**
 * Returns the delay before the next attempt in milliseconds, or `undefined` if no attempt or time is left. Uses
 * exponential back-off with full jitter, but never less than the pause that the service asked for.
 * @param tries number of attempts so far.
 * @param elapsedMs time since the first response.
 */
export function retryDelayMs(
  failure: Failure,
  tries: number,
  elapsedMs: number,
  options: Patience,
  random: () => number = Math.random,
): number | undefined {
  const asked = failure.retryAfterMs ?? 0;
  const left = options.retryTimeMs - elapsedMs - asked;
  if (tries >= options.maxTries || left < 0) return undefined;
  const backOff = random() * Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** (tries - 1));
  if (asked > 0) return asked + Math.min(backOff, left);
  return backOff < left ? backOff : undefined;
}
