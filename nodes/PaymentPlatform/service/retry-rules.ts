import type { RunOptions } from '../model/option-types';
import type { Effect } from '../model/types';
import type { Failure } from '../model/failure';

/** Limits for the number and time of attempts. */
export interface Patience extends Pick<RunOptions, 'maxTries' | 'retryTimeMs'> {
  /**
   * Whether a write that is safe to repeat is sent again even if its outcome is unknown. Never set for items of users,
   * only for the trigger's own webhook.
   */
  repeatsWrites?: boolean;
}

/** Initial and maximum back-off in milliseconds. The back-off doubles with each attempt. */
const FIRST_BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 30_000;

/** Returns whether a read can be repeated after this status. Connection errors are also repeatable. */
const isPassing = (httpStatus: number) => httpStatus === 408 || httpStatus === 429 || httpStatus >= 500;

/**
 * Returns whether a failed request may be sent again. A write may be sent again if it certainly was not applied,
 * because it never reached the service or the service rejected it without processing it. Other writes may be sent again
 * only if they are safe to repeat and `repeatsWrites` is set. A read may be sent again after every temporary failure.
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
 * Returns the time before the next attempt in milliseconds: exponential back-off with full jitter, but not before the
 * time that the service asked for. Returns `undefined` if the attempts or the time are used up. If the service asks for
 * a pause that fits into the time, the whole pause is used.
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
