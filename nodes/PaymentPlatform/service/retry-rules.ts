import type { RunOptions } from '../model/option-types';
import type { Effect } from '../model/types';
import type { Failure } from '../model/failure';

/** How often and how long a request is tried. */
export interface Patience extends Pick<RunOptions, 'maxTries' | 'retryTimeMs'> {
  /**
   * Whether a write that leaves the same state behind when it is repeated is sent again though its outcome is unknown.
   * Never so for what a person's item asks for; the trigger's own webhook is another matter.
   */
  repeatsWrites?: boolean;
}

/** Back-off doubles from the first to the longest, in milliseconds. */
const FIRST_BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 30_000;

/** Answers that a read may simply be sent again after, besides faults of the connection. */
const isPassing = (httpStatus: number) => httpStatus === 408 || httpStatus === 429 || httpStatus >= 500;

/**
 * Whether a failed request may be sent again. A write may only if it provably was not applied: it never reached the
 * service, or was turned away unread; otherwise only if it repeats safely and the patience says so. A read may after any
 * fault that can pass.
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
 * How long to wait before the next try, in milliseconds: exponential back-off with full jitter, not before the moment
 * the service asked for. `undefined` when the tries or the time are used up; a pause that the service asks for and that
 * is within the time is waited for in full, however little is left of it after that.
 * @param tries how often the request was sent so far.
 * @param elapsedMs time since the first try was answered.
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
