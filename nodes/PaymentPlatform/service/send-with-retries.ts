import type { Answer } from '../model/failure';
import type { Effect } from '../model/types';
import { Gate } from './gate';
import { type Patience, isRepeatable, retryDelayMs } from './retry-rules';

/** How the tries of one request are made. */
export interface Tries {
  effect: Effect;
  patience: Patience;
  /** Gives each try its turn among the requests of a run; a request alone has none to wait for. */
  gate?: Gate;
  /** Requests with the same key never overlap. */
  objectKey?: string;
  /** Whether nothing may start after an answer that stands; `undefined` when sending threw. */
  ends?: (answer: Answer | undefined) => boolean;
}

/**
 * Sends a request until it has an answer that stands: repeated only as its effect and the patience allow. The one way in
 * which the node, the trigger and its look-ups repeat anything.
 * @param once sends it once, when its turn comes.
 * @returns the last answer; a failure says how often the request was sent, when more than once.
 * @throws NotStarted when the gate closes before the first try.
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

/** Tells the gate what an answer says about how much the service can take. */
export function adjustPace(gate: Gate, answer: Answer): void {
  if (answer.ok) return gate.speedUp();
  const { httpStatus, retryAfterMs } = answer.failure;
  if (httpStatus === 429 || httpStatus === 503) gate.slowDown(retryAfterMs);
  else if (httpStatus !== undefined && httpStatus < 500) gate.answered();
}
