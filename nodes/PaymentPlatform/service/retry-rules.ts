import type { RunOptions } from '../model/option-types';
import type { Effect } from '../model/types';
import type { Failure } from '../model/failure';

export interface Patience extends Pick<RunOptions, 'maxTries' | 'retryTimeMs'> {
  /**
   * Whether to repeat a safely repeatable write after an unknown outcome. Only the trigger sets this flag, for its own
   * webhook.
   */
  repeatsWrites?: boolean;
}

/** Back-off in milliseconds, which doubles with each attempt. */
const FIRST_BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 30_000;

const isPassing = (httpStatus: number) => httpStatus === 408 || httpStatus === 429 || httpStatus >= 500;

/**
 * Returns true if the service certainly didn't process the request, if a read failed temporarily, or, with
 * `repeatsWrites`, if a write is safe to repeat.
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
 * Returns the delay before the next attempt, or `undefined` if no attempt or time is left. Uses exponential back-off
 * with full jitter, but waits at least as long as the service asked.
 * @param tries number of requests sent so far.
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
