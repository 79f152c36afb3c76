import type { Effect, Failure, RunOptions } from './types';

/** Back-off doubles from the first to the longest, in milliseconds. */
const FIRST_BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 30_000;
/** A service that asks for a longer pause is not waited for, in milliseconds: it would hold the execution. */
export const LONGEST_PAUSE_MS = 60_000;

/** Answers that a read may simply be sent again after, besides faults of the connection. */
const isPassing = (httpStatus: number) => httpStatus === 408 || httpStatus === 429 || httpStatus >= 500;

/**
 * Whether a failed request may be sent again. A write may only if it provably was not applied: it never reached the
 * service, or was turned away unread. A read may after any fault that can pass.
 */
export function isRepeatable(effect: Effect, { outcome, httpStatus }: Failure): boolean {
  if (outcome === 'notSent') return true;
  return effect === 'reads' && outcome === 'unknown' && (httpStatus === undefined || isPassing(httpStatus));
}

/**
 * How long to wait before the next try, in milliseconds: exponential back-off with full jitter, not before the moment
 * the service asked for. `undefined` when the tries or the time are used up.
 * @param tries how often the request was sent so far.
 * @param elapsedMs time since its first try.
 */
export function retryDelayMs(
  failure: Failure,
  tries: number,
  elapsedMs: number,
  options: RunOptions,
  random: () => number = Math.random,
): number | undefined {
  const asked = failure.retryAfterMs ?? 0;
  if (tries >= options.maxTries || asked > LONGEST_PAUSE_MS) return undefined;
  const delay = asked + random() * Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** (tries - 1));
  return elapsedMs + delay > options.retryTimeMs ? undefined : delay;
}
