import type { Answer } from '../model/failure';
import type { Effect } from '../model/types';
import { Gate } from './gate';
import { type Patience, isRepeatable, retryDelayMs } from './retry-rules';

/** Settings for the attempts of a request. */
export interface Tries {
  effect: Effect;
  patience: Patience;
  /** Gate that decides when each attempt is sent. Defaults to a separate gate for this request. */
  gate?: Gate;
  /** Requests with the same key never overlap. */
  objectKey?: string;
  /** Returns whether nothing may start after a final response. The response is `undefined` if sending threw. */
  ends?: (answer: Answer | undefined) => boolean;
}

/**
 * Sends a request until its response is final, as far as its effect and the limits of `patience` allow. The node, the
 * trigger and all look-ups use this function for retries.
 * @param once function that sends the request once.
 * @returns the last response. A failure contains the number of attempts if there were several.
 * @throws NotStarted if the gate closes before the first attempt.
 */
export async function sendWithRetries(
  { effect, patience, gate = alone(patience), objectKey, ends }: Tries,
  once: () => Promise<Answer>,
): Promise<Answer> {
  let tries = 0;
  let answeredAt = 0;
  const send = async () => {
    const answer = await once();
    tries += 1;
    return answer;
  };
  const again = (last: Answer) => {
    if (last.ok || !isRepeatable(effect, last.failure, patience)) return undefined;
    answeredAt ||= Date.now();
    return retryDelayMs(last.failure, tries, Date.now() - answeredAt, patience);
  };
  const answer = await gate.run(objectKey, send, { again, ends });
  return answer.ok || tries < 2 ? answer : { ok: false, failure: { ...answer.failure, tries } };
}

const alone = ({ retryTimeMs }: Patience) => new Gate({ most: 1, longestWaitMs: retryTimeMs });

/** Adjusts the gate to the load that a response indicates. */
export function adjustPace(gate: Gate, answer: Answer): void {
  if (answer.ok) return gate.speedUp();
  const { httpStatus, retryAfterMs } = answer.failure;
  if (httpStatus === 429 || httpStatus === 503) gate.slowDown(retryAfterMs);
  else if (httpStatus !== undefined && httpStatus < 500) gate.answered();
}
